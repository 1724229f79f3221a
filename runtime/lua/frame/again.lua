left, retry, reset, delay = 0, 0, 0, 0
{{check}}

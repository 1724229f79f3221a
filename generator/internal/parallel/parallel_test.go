package parallel

import (
	"slices"
	"testing"
)

func TestMap(t *testing.T) {
	t.Parallel()
	for n := range 100 {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		got := Map(all, func(i int) int { return i * i })
		for i := range all {
			all[i] = i * i
		}
		if !slices.Equal(got, all) {
			t.Errorf("%v", got)
		}
	}
}

// Package page fills in the parts of a page in Markdown that a program writes.
package page

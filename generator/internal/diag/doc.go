// Package diag holds the problems of one run: each is made where it is known,
// with the position in the user's source, and all of them are collected,
// sorted and printed at the top.
package diag

// Package generator writes the wrappers that enforce the rate limits which
// //ratelimit: directives ask for.
//
// One thing flows through it, one way:
//
//	source text → directives → model → Go code → files
//
// [Generate] reads the packages, ties their directives to methods, checks them
// against the types, and returns the code that belongs on the disk. Nothing is
// written before [Result.Write]; [Result.Diff] only looks. Between reading and
// writing nothing depends on anything but the source: the same input gives the
// same bytes.
//
// What goes into one file is a set: what the directives in those files of a
// package ask for that take part in the same builds. The package itself, its
// test files and its external test files are sets of their own, each divided by
// the build constraints of files. A run is about one build, and touches the
// files of the sets that it has.
//
// Whatever is wrong is a [Problem] with a position. All problems of a run are
// returned together; a package that has one gets no file, the others do.
package generator

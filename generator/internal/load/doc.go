// Package load reads the packages that a run is about.
//
// [List] finds the packages of the patterns and reads and parses the files of
// those that a look at their text finds worth it; nothing is type-checked yet.
// Where test files mention directives, a folder has packages for these as well.
// [Program.Check] type-checks the packages that turned out to have directives,
// all in one go, with their dependencies taken from export data.
//
// [Ahead] does both in one go for the folder of a run that is about a single
// one, where the text of its files tells what the go command would.
//
// What these lack may be about to be generated for a package that they import
// and that no pattern names: [Program.Import] finds it. [Program.Recheck] checks
// everything again once the first check has told what will be generated.
//
// What we generated before is hidden from all of them: a file of ours may be stale,
// broken or full of conflict markers. In its place stand stubs of the wrappers
// that are about to be generated, so that code which uses them checks.
package load

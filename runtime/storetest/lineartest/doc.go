// Package lineartest tests that stores are linearizable: that calls which
// overlap, in one process or in two, answer as if they had come one after the
// other, in an order in which none comes before one that had ended when it
// began.
//
// A history is what eight goroutines asked a store at random, and the answers.
// A checker looks for such an order in which the oracle of package storetest
// gives the same answers. The time of each decision is part of its answer, so
// clocks may be real, and those of two processes may differ.
package lineartest

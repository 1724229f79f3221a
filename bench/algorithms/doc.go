// Command algorithms writes what docs/algorithms.md says in numbers, and draws
// docs/algorithms.svg. From the folder bench:
//
//	go run ./algorithms
//
// Some of it is computed: it is the same on every machine, and a test says
// when it is stale. The rest is measured, and names the machine: memory in
// Redis and in this process, and the time that a decision takes the server,
// side by side with the usual scripts in yardsticks/. For this the command
// runs a redis-server of its own on a free port of the loopback interface;
// -measure=false leaves it out, and what was measured before stays.
package main

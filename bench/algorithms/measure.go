package main

import (
	"github.com/ratelimitgen/ratelimitgen/bench/machine"
	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// measure is what the page says that differs from machine to machine.
func measure(root string) ([]page.Block, error) {
	l, err := openLab(root)
	if err != nil {
		return nil, err
	}
	defer l.close()
	where, err := l.where()
	if err != nil {
		return nil, err
	}
	memory, err := l.memoryUse()
	if err != nil {
		return nil, err
	}
	costs, err := l.costs()
	if err != nil {
		return nil, err
	}
	return []page.Block{{Name: "memory", Text: where + "\n" + memory}, {Name: "cost", Text: where + "\n" + costs}}, nil
}

// where names the server and the machine.
func (l *lab) where() (string, error) {
	name, err := machine.Name(l.client)
	return "Measured with " + name + ".\n", err
}

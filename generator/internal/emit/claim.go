package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// argsInRow is how many arguments of a claim stand on one line.
const argsInRow = 3

// claim writes the claim to the names that nobody wrote.
func claim(f *jen.File, p *model.Package) {
	args := []jen.Code{jen.Lit(p.Path)}
	for _, name := range p.Claims() {
		args = append(args, jen.Id(name).Dot("Name"))
	}
	if len(args) == 1 {
		return
	}
	list := jen.Options{Open: "(", Close: ")", Separator: ", "}
	if len(args) > argsInRow {
		list.Separator, list.Multi = ",", true
	}
	f.Comment("// init claims the names that no directive says: a Limiter refuses one that two packages claim.")
	f.Func().Id("init").Params().Block(jen.Qual(model.Runtime, "Claim").Custom(list, args...))
}

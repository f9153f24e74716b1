"""A law of import-linter's: some modules import nothing but what is on a list, directly."""

from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils
from importlinter.application.contract_utils import AlertLevel
from importlinter.domain.helpers import module_expressions_to_modules
from importlinter.domain.imports import ModuleExpression


class OnlyContract(Contract):
    """`importers` import themselves and `allowed`, with all that is below them.

    What is none of this project's packages may be imported too, unless `others_too` says that the list holds for it.
    """

    type_name = "only"

    importers = fields.ListField(subfield=fields.ModuleExpressionField())
    allowed = fields.ListField(subfield=fields.ModuleExpressionField())
    others_too = fields.BooleanField(required=False, default=False)
    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField(), required=False)
    unmatched_ignore_imports_alerting = fields.EnumField(AlertLevel, default=AlertLevel.ERROR)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  (import-linter's)
        removed = contract_utils.remove_ignored_imports_and_report(
            graph=graph,
            ignore_imports=self.ignore_imports,  # type: ignore[arg-type]  # a field is what it was read as
            unmatched_alerting=self.unmatched_ignore_imports_alerting,  # type: ignore[arg-type]
        )
        importers, allowed = self._modules(graph, self.importers), self._modules(graph, self.allowed)
        wrong = [
            (importer, imported)
            for importer in sorted(importers)
            for imported in sorted(graph.find_modules_directly_imported_by(importer) - importers - allowed)
            if self.others_too or not graph.is_module_squashed(imported)
        ]
        return ContractCheck(
            kept=not wrong,
            warnings=list(removed.warnings),
            ignored_import_count=removed.ignored_import_count,
            metadata={"wrong": wrong},
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} is not allowed to import {imported}", bold=False)
        output.new_line()

    @staticmethod
    def _modules(graph: ImportGraph, expressions: object) -> set[str]:
        found = module_expressions_to_modules(graph, cast(list[ModuleExpression], expressions))
        names = {module.name for module in found} & graph.modules
        return names.union(*(graph.find_descendants(name) for name in names if not graph.is_module_squashed(name)))

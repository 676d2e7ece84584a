import ts from "typescript-lowest"

/** The maximum length of a type on the page, in characters. Longer types are codecs, whose values have a named type. */
const MAX_TYPE = 240
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

/** The symbol of an export. */
export function declared(exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
}

/** Writes declarations for people: signatures without bodies, and types by the names under which they are exported. */
export class DeclarationReader {
  readonly #checker: ts.TypeChecker
  readonly #names = new Map<ts.Type, string>()

  constructor(checker: ts.TypeChecker, exports: readonly ts.Symbol[]) {
    this.#checker = checker
    for (const exported of exports) {
      const symbol = declared(exported, checker)
      if (symbol.flags & ts.SymbolFlags.TypeAlias) this.#names.set(checker.getDeclaredTypeOfSymbol(symbol), exported.name)
    }
  }

  codeOf(symbol: ts.Symbol): string {
    const declaration = symbol.declarations?.[0] as ts.Declaration
    if (ts.isFunctionDeclaration(declaration)) return this.#function(symbol, declaration)
    if (ts.isInterfaceDeclaration(declaration)) return sourceOf(declaration)
    if (ts.isClassDeclaration(declaration)) return this.#class(symbol)
    if (ts.isTypeAliasDeclaration(declaration)) return this.#alias(symbol, declaration)
    return this.#constant(symbol, declaration)
  }

  #function(symbol: ts.Symbol, declaration: ts.FunctionDeclaration): string {
    const signatures = this.#checker.getTypeOfSymbol(symbol).getCallSignatures()
    return signatures
      .map((each) => plain(`function ${symbol.name}${this.#checker.signatureToString(each, declaration, FLAGS)}`))
      .join("\n")
  }

  #class(symbol: ts.Symbol): string {
    const members = [...(symbol.members?.values() ?? [])].filter(({ flags }) => !(flags & ts.SymbolFlags.Constructor))
    const lines = members.flatMap((member) => {
      const declaration = member.declarations?.[0]
      if (!declaration || (ts.isPropertyDeclaration(declaration) && ts.isPrivateIdentifier(declaration.name))) return []
      const comment = ts.displayPartsToString(member.getDocumentationComment(this.#checker))
      const type = this.#text(this.#checker.getTypeOfSymbol(member), declaration)
      return [...(comment === "" ? [] : [`  /** ${comment} */`]), `  ${member.name}: ${type}`]
    })
    return `class ${symbol.name} extends Error {\n${lines.join("\n")}\n}`
  }

  /** An alias as it is written; where it is derived from a codec, the members that it has. */
  #alias(symbol: ts.Symbol, declaration: ts.TypeAliasDeclaration): string {
    const isDerived = /TypeOf<|JsonOf<|ValueOf</.test(declaration.type.getText()) && declaration.typeParameters === undefined
    if (!isDerived) return sourceOf(declaration)
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
    if (!type.isUnion()) return `type ${symbol.name} = ${this.#members(type, declaration)}`
    const kinds = type.types.map((each) => this.#members(each, declaration))
    return `type ${symbol.name} =\n${kinds.map((each) => `  | ${each.replaceAll("\n", "\n    ")}`).join("\n")}`
  }

  #members(type: ts.Type, at: ts.Node): string {
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return this.#text(type, at)
    const lines = this.#checker
      .getPropertiesOfType(type)
      .map((member) => `  ${member.name}: ${this.#text(this.#checker.getTypeOfSymbol(member), at)}`)
    // The kind, which discriminates a union, comes first.
    return `{\n${lines.sort((a, b) => Number(b.startsWith("  kind:")) - Number(a.startsWith("  kind:"))).join("\n")}\n}`
  }

  #constant(symbol: ts.Symbol, declaration: ts.Declaration): string {
    const type = this.#checker.getTypeOfSymbol(symbol)
    const text = plain(this.#checker.typeToString(type, declaration, FLAGS))
    if (text.length <= MAX_TYPE) return `const ${symbol.name}: ${text}`
    const value = this.#valueOf(type, declaration)
    return `const ${symbol.name}: ${value === undefined ? "…" : `Codec<${value}>`}`
  }

  /** The type that a codec reads, by its name. */
  #valueOf(codec: ts.Type, at: ts.Node): string | undefined {
    const read = codec.getProperty("read")
    const signature = read && this.#checker.getTypeOfSymbol(read).getCallSignatures()[0]
    return signature && this.#text(signature.getReturnType(), at)
  }

  /** A type by its exported name, as a list of named ones, or as it is written; `…` where that is too long. */
  #text(type: ts.Type, at: ts.Node): string {
    const name = this.#names.get(type)
    if (name !== undefined) return name
    const item = this.#checker.isArrayType(type) ? this.#checker.getTypeArguments(type as ts.TypeReference)[0] : undefined
    if (item && this.#names.has(item)) return `readonly ${this.#names.get(item)}[]`
    const text = plain(this.#checker.typeToString(type, at, FLAGS))
    return text.length > MAX_TYPE || text.includes("Codec<") ? "…" : text
  }
}

const plain = (text: string) => text.replaceAll("Uint8Array<ArrayBufferLike>", "Uint8Array")
const sourceOf = (declaration: ts.Node) => declaration.getText().replace(/^export /, "")

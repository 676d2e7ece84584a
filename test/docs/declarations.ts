import { type FunctionDeclaration, type Node, SyntaxKind, type TypeAliasDeclaration } from "typescript/unstable/ast"
import {
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isPrivateIdentifier,
  isPropertyDeclaration,
  isTypeAliasDeclaration,
} from "typescript/unstable/ast/is"
import {
  type Checker,
  NodeBuilderFlags,
  type Project,
  type Signature,
  SignatureKind,
  type Symbol as Sym,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from "typescript/unstable/sync"

/** The maximum length of a type on the page, in characters. Longer types are codecs, whose values have a named type. */
const MAX_TYPE = 240
const FLAGS = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope

/** Writes declarations for people: signatures without bodies, and types by the names under which they are exported. */
export class DeclarationReader {
  readonly #project: Project
  readonly #checker: Checker
  readonly #names = new Map<Type, string>()

  constructor(project: Project, exports: readonly Sym[]) {
    this.#project = project
    this.#checker = project.checker
    for (const exported of exports) {
      const symbol = this.declared(exported)
      if (symbol.flags & SymbolFlags.TypeAlias) this.#names.set(this.#checker.getDeclaredTypeOfSymbol(symbol), exported.name)
    }
  }

  /** The symbol of an export. */
  declared(exported: Sym): Sym {
    return exported.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported
  }

  /** The first declaration of a symbol. */
  declarationOf(symbol: Sym): Node {
    return symbol.declarations[0]?.resolve(this.#project) as Node
  }

  /** The comment of a symbol, on one line. */
  commentOf(symbol: Sym): string {
    return symbol.getDocumentationComment(this.#checker).replaceAll(/\s*\n\s*/g, " ")
  }

  codeOf(symbol: Sym): string {
    const declaration = this.declarationOf(symbol)
    if (isFunctionDeclaration(declaration)) return this.#function(symbol, declaration)
    if (isInterfaceDeclaration(declaration)) return sourceOf(declaration)
    if (isClassDeclaration(declaration)) return this.#class(symbol)
    if (isTypeAliasDeclaration(declaration)) return this.#alias(symbol, declaration)
    return this.#constant(symbol, declaration)
  }

  #function(symbol: Sym, declaration: FunctionDeclaration): string {
    const signatures = this.#signaturesOf(this.#typeOf(symbol))
    return signatures.map((each) => plain(`function ${symbol.name}${this.#signatureText(each, declaration)}`)).join("\n")
  }

  #signatureText(signature: Signature, at: Node): string {
    const written = this.#checker.signatureToSignatureDeclaration(signature, SyntaxKind.CallSignature, at, FLAGS) as Node
    return this.#project.emitter
      .printNode(written)
      .replaceAll(/\s*\n\s*/g, " ")
      .replace(/;$/, "")
  }

  #class(symbol: Sym): string {
    const members = [...symbol.getMembers().values()].filter(({ flags }) => !(flags & SymbolFlags.Constructor))
    const lines = members.flatMap((member) => {
      const declaration = this.declarationOf(member)
      if (!declaration || (isPropertyDeclaration(declaration) && isPrivateIdentifier(declaration.name))) return []
      const comment = member.getDocumentationComment(this.#checker)
      const type = this.#text(this.#typeOf(member), declaration)
      return [...(comment === "" ? [] : [`  /** ${comment} */`]), `  ${member.name}: ${type}`]
    })
    return `class ${symbol.name} extends Error {\n${lines.join("\n")}\n}`
  }

  /** An alias as it is written; where it is derived from a codec, the members that it has. */
  #alias(symbol: Sym, declaration: TypeAliasDeclaration): string {
    const isDerived = /TypeOf<|JsonOf<|ValueOf</.test(declaration.type.getText()) && declaration.typeParameters === undefined
    if (!isDerived) return sourceOf(declaration)
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
    const kinds = type.isUnionType() ? type.getTypes() : undefined
    if (!kinds) return `type ${symbol.name} = ${this.#members(type, declaration)}`
    const written = kinds.map((each) => this.#members(each, declaration))
    return `type ${symbol.name} =\n${written.map((each) => `  | ${each.replaceAll("\n", "\n    ")}`).join("\n")}`
  }

  #typeOf(symbol: Sym): Type {
    return this.#checker.getTypeOfSymbol(symbol) as Type
  }

  #signaturesOf(type: Type): readonly Signature[] {
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call)
  }

  #members(type: Type, at: Node): string {
    if (!(type.flags & (TypeFlags.Object | TypeFlags.Intersection))) return this.#text(type, at)
    const lines = this.#checker
      .getPropertiesOfType(type)
      .map((member) => `  ${member.name}: ${this.#text(this.#typeOf(member), at)}`)
    // The kind, which discriminates a union, comes first.
    return `{\n${lines.sort((a, b) => Number(b.startsWith("  kind:")) - Number(a.startsWith("  kind:"))).join("\n")}\n}`
  }

  #constant(symbol: Sym, declaration: Node): string {
    const type = this.#typeOf(symbol)
    const text = plain(this.#checker.typeToString(type, declaration, FLAGS))
    if (text.length <= MAX_TYPE) return `const ${symbol.name}: ${text}`
    const value = this.#valueOf(type, declaration)
    return `const ${symbol.name}: ${value === undefined ? "…" : `Codec<${value}>`}`
  }

  /** The type that a codec reads, by its name. */
  #valueOf(codec: Type, at: Node): string | undefined {
    const read = this.#checker.getPropertyOfType(codec, "read")
    const signature = read && this.#signaturesOf(this.#typeOf(read))[0]
    return signature && this.#text(this.#checker.getReturnTypeOfSignature(signature) as Type, at)
  }

  /** A type by its exported name, as a list of named ones, or as it is written; `…` where that is too long. */
  #text(type: Type, at: Node): string {
    const name = this.#names.get(type)
    if (name !== undefined) return name
    const item = this.#checker.isArrayType(type) ? this.#checker.getTypeArguments(type as TypeReference)[0] : undefined
    if (item && this.#names.has(item)) return `readonly ${this.#names.get(item)}[]`
    const text = plain(this.#checker.typeToString(type, at, FLAGS))
    return text.length > MAX_TYPE || text.includes("Codec<") ? "…" : text
  }
}

const plain = (text: string) => text.replaceAll("Uint8Array<ArrayBufferLike>", "Uint8Array")
const sourceOf = (declaration: Node) => declaration.getText().replace(/^export /, "")

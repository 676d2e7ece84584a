import ts from "typescript-lowest"

/** The globals that a pure file may use: those of ECMAScript without clock and random numbers, and the encoders of text. */
const PURE_GLOBALS: ReadonlySet<string> = new Set(
  `undefined NaN Infinity Object Array Map Set WeakMap WeakSet String Number BigInt Boolean Symbol JSON Math Date RegExp Promise Proxy
  Reflect Error TypeError RangeError AggregateError Iterator ArrayBuffer SharedArrayBuffer DataView Uint8Array Uint16Array
  Uint32Array Int8Array Int32Array Float64Array BigUint64Array Number parseInt isNaN encodeURIComponent decodeURIComponent TextEncoder
  TextDecoder atob btoa`.split(/\s+/),
)

/** The members of `Math` and `Date` that a pure file may not use. A copy of `Math` or `Date` under another name is not allowed either. */
const isAllowedUse = (node: ts.Identifier): boolean => {
  const { parent } = node
  if (node.text === "Math") return ts.isPropertyAccessExpression(parent) && parent.name.text !== "random"
  if (node.text !== "Date") return true
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) > 0
  return ts.isPropertyAccessExpression(parent) && ["UTC", "parse"].includes(parent.name.text)
}

/** Returns what a file uses that is not pure: globals by name, modules of Node.js, `import.meta`, and variables of the module. */
export function impurities(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const declared = namesDeclaredIn(file)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isTypeParameterDeclaration(node)) return
    if (ts.isMetaProperty(node)) found.add("import.meta")
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) found.add("import()")
    if (ts.isStringLiteralLike(node) && /^node:/.test(node.text)) found.add(node.text)
    if (ts.isIdentifier(node) && isReference(node) && !declared.has(node.text)) {
      if (!PURE_GLOBALS.has(node.text) || !isAllowedUse(node)) found.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found].sort()
}

/** The methods that change an array, a typed array, a map, a set or a view of bytes. */
const CHANGES = /^(set\w*|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|write[A-Z]\w*)$/

/**
 * Returns the state of a module that changes after loading: variables, static fields of classes, values of the module that a function
 * changes, expressions that remember where they matched last, and functions with state of their own that were made while the module was
 * loaded.
 */
export function changingState(path: string, text: string, makers: ReadonlySet<string>): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const values = new Map<string, ts.Expression | undefined>()
  const found = new Set<string>()
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!(statement.declarationList.flags & ts.NodeFlags.Const)) found.add(name.getText())
      if (ts.isIdentifier(name)) values.set(name.text, initializer)
      const made = initializer && (ts.isCallExpression(initializer) || ts.isNewExpression(initializer)) && initializer.expression
      // A sticky expression is of no use unless its position is set.
      if (initializer && ts.isRegularExpressionLiteral(initializer) && /y\w*$/.test(initializer.text)) found.add(name.getText())
      if (made && makers.has(made.getText())) found.add(name.getText())
    }
  }
  for (const name of changedIn(file, (each) => values.has(each), values)) found.add(name)
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)) {
      found.add(node.name.getText())
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found].sort()
}

/** Returns the functions and classes of a file whose results have state: a variable or a map around a function that changes it. */
export function makersOfState(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const makers: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node) && node.name && hasChangingField(node)) makers.push(node.name.text)
    const made = ts.isVariableDeclaration(node) ? node.initializer : node
    const { name } = node as { name?: ts.Node }
    if (made && (ts.isFunctionDeclaration(made) || ts.isFunctionExpression(made) || ts.isArrowFunction(made)) && name) {
      const own = localsOf(made)
      if (changedIn(made, (each) => own.has(each)).length > 0) makers.push(name.getText())
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return makers
}

/** A class has state if a method assigns or changes a field. */
function hasChangingField(node: ts.ClassDeclaration): boolean {
  return node.members.some((member) => {
    if (ts.isConstructorDeclaration(member) || !ts.isFunctionLike(member)) return false
    return /\bthis\.[#\w.[\]]+( \S?=(?!=)|\+\+|--)|\bthis\.#?\w+\.(set\w*|add|delete|clear|push|pop|splice)\(/.test(
      member.getText(),
    )
  })
}

/** The variables of a function itself, without those of the functions in it. */
function localsOf(node: ts.FunctionLikeDeclaration): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (each: ts.Node): void => {
    if (each !== node && ts.isFunctionLike(each)) return
    if (ts.isVariableDeclaration(each) && ts.isIdentifier(each.name)) names.add(each.name.text)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return names
}

const isAssignment = (kind: ts.SyntaxKind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** Returns the names that functions inside a node change. */
function changedIn(
  outer: ts.Node,
  isWanted: (name: string) => boolean,
  values: ReadonlyMap<string, ts.Expression | undefined> = new Map(),
): readonly string[] {
  const found: string[] = []
  const note = (target: ts.Expression, inner: ts.Node | undefined): void => {
    let root: ts.Expression = target
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) root = root.expression
    if (inner && ts.isIdentifier(root) && isWanted(root.text) && !isDeclaredBetween(root, inner)) found.push(root.text)
  }
  const visit = (node: ts.Node, inner: ts.Node | undefined): void => {
    const within = node !== outer && ts.isFunctionLike(node) ? (inner ?? node) : inner
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left, within)
    if (ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node))
      note("operand" in node ? node.operand : node.expression, within)
    if (ts.isPrefixUnaryExpression(node) && /^(\+\+|--)/.test(node.getText())) note(node.operand, within)
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: target, name } = node.expression
      const value = ts.isIdentifier(target) ? values.get(target.text) : undefined
      // Codecs have methods `write` and `writeJson`, too, which change their argument.
      const isChange = CHANGES.test(name.text) && name.text !== "writeJson"
      if (isChange || (name.text === "write" && /\bBuffer\b/.test(value?.getText() ?? ""))) note(target, within)
      const remembers = value && ts.isRegularExpressionLiteral(value) && /\/\w*[gy]\w*$/.test(value.text)
      if (remembers && ["exec", "test"].includes(name.text)) note(target, within)
    }
    ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(outer, undefined)
  return found
}

/** Returns whether a name is declared again inside a function, around the place where it is used. */
function isDeclaredBetween(use: ts.Identifier, inner: ts.Node): boolean {
  const pattern = new RegExp(`(const|let|of|,|\\(|\\{|\\[) *${use.text}\\b[^(.]*?(=|:|,|\\)|\\}|\\])`)
  return pattern.test(inner.getText().split(use.parent.getText())[0] as string)
}

/** The names that a file declares anywhere. Globals that are not pure may not be declared, because that would hide their use elsewhere. */
function namesDeclaredIn(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node }
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionLike(node) ||
      ts.isClassLike(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node)
    if (declares && name && ts.isIdentifier(name) && !(name.text in globalThis)) names.add(name.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

/** Returns whether an identifier is a variable that is read, and not the name of a member, a declaration or a label. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isPropertyDeclaration(parent))
    return parent.initializer === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent))
    return false
  if (ts.isFunctionLike(parent) || ts.isClassLike(parent) || ts.isJSDoc(parent))
    return !("name" in parent && parent.name === node)
  return !(
    ts.isLabeledStatement(parent) ||
    ts.isBreakOrContinueStatement(parent) ||
    ts.isMetaProperty(parent) ||
    ts.isQualifiedName(parent)
  )
}

// Counts sizes and dependencies of source files, scripts, documents and help texts, and fails if one
// exceeds its limit.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { readCommandHelps } from '../reference/pages.ts'

/** Limits for folders that would otherwise attract code that belongs elsewhere. */
interface FolderBound {
  readonly folders: readonly string[]
  readonly lines: number
  readonly files?: number
  /** The desired number of lines. A higher number is printed but does not fail the check. */
  readonly aim?: number
}

const folderBounds: readonly FolderBound[] = [
  { folders: ['src/adapters/postgres'], files: 30, lines: 3500 },
  { folders: ['src/adapters/lowdb'], files: 22, lines: 3420 },
  // Code that adapters share with commands is in src/machine.
  { folders: ['src/adapters'], lines: 11_880, aim: 7800 },
  { folders: ['src/adapters', 'src/machine'], lines: 12_410 },
]

const maximumSourceFiles = 400
const maximumFileLines = 400
const minimumLonelyLines = 12
const functionLinesBound = 25
const maximumOrderFiles = 20
const maximumScripts = 30

/**
 * The maximum number of lines of help in a terminal of 80 columns, the width that `npm run
 * check:size` sets.
 */
const maximumHelpLines = { serve: 60, others: 40 }
const terminalColumns = 80

/** `npm run contract` and `npm run embed` write these files. */
const generatedFiles = [
  'src/contract/documents.ts',
  'src/contract/reference-page.ts',
  'src/contract/types.ts',
  'src/cli/serve/demo-data.ts',
]

/**
 * The use case that places an order. Its limit counts the files that it imports, directly or
 * indirectly, without packages and imports of types.
 */
const orderEntry = 'src/usecases/share-purchases/place-share-purchase.ts'

interface DocumentBound {
  readonly path: string
  readonly unit: string
  readonly most: number
  count(text: string): number
}

const countMatches = (pattern: RegExp) => (text: string) => text.match(pattern)?.length ?? 0

/** The limits of documents that readers should be able to read in full. */
const documentBounds: readonly DocumentBound[] = [
  { path: 'README.md', unit: 'words', most: 900, count: countMatches(/\S+/g) },
  { path: 'ARCHITECTURE.md', unit: 'bytes', most: 8000, count: (text) => Buffer.byteLength(text) },
  { path: 'DECISIONS.md', unit: 'decisions', most: 60, count: countMatches(/^### D\d+ /gm) },
  {
    path: 'CHANGELOG.md',
    unit: 'lines for 0.1.0',
    most: 15,
    count: (text) => countMatches(/^- /gm)(text.split(/^## /m).find(isOfFirstVersion) ?? ''),
  },
]

function isOfFirstVersion(section: string): boolean {
  return section.startsWith('0.1.0')
}

interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly functions: readonly number[]
  /** The number of exported functions, classes and constants, without types. */
  readonly exportedValues: number
  /** The lines of all statements except imports and types. */
  readonly codeLines: number
  readonly imports: readonly Import[]
}

interface Import {
  readonly path: string
  readonly isTypeOnly: boolean
}

function readFolder(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => readSource(join(folder, name)))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const nodes = descendantsOf(source)
  return {
    path,
    lines: text.split('\n').length - 1,
    functions: nodes.filter(isFunctionWithBody).map((node) => countLines(source, node)),
    exportedValues: sum(source.statements.map(countExportedValues)),
    codeLines: sum(source.statements.filter(isCode).map((node) => countLines(source, node))),
    imports: nodes.flatMap((node) => importsOf(path, node)),
  }
}

/** Without `getChildren`, which makes nodes of all tokens. */
function descendantsOf(node: ts.Node): ts.Node[] {
  const found = [node]
  for (const each of found) ts.forEachChild(each, (child) => void found.push(child))
  return found
}

/** The lines of a callback count twice: for the function around it, and for the callback itself. */
function isFunctionWithBody(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function countLines(source: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1
}

function isCode(statement: ts.Statement): boolean {
  return !(
    ts.isImportDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  )
}

function countExportedValues(statement: ts.Statement): number {
  if (ts.isExportAssignment(statement)) return 1
  if (ts.isExportDeclaration(statement)) {
    const names = statement.exportClause
    return names && ts.isNamedExports(names) ? names.elements.length : 1
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!isCode(statement) || !modifiers?.some(isExport)) return 0
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1
}

function isExport({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.ExportKeyword
}

function importsOf(from: string, node: ts.Node): Import[] {
  const found = importedModule(node)
  if (!found?.specifier.startsWith('.') || !found.specifier.endsWith('.ts')) return []
  const path = relative('.', resolve(dirname(from), found.specifier))
  return [{ path, isTypeOnly: found.isTypeOnly }]
}

function importedModule(node: ts.Node) {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const isTypeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return { specifier: node.moduleSpecifier.text, isTypeOnly }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    if (!ts.isStringLiteral(node.moduleSpecifier)) return undefined
    return { specifier: node.moduleSpecifier.text, isTypeOnly: node.isTypeOnly }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument
    return ts.isStringLiteral(literal) ? { specifier: literal.text, isTypeOnly: true } : undefined
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    if (specifier && ts.isStringLiteral(specifier))
      return { specifier: specifier.text, isTypeOnly: false }
  }
  return undefined
}

/** Finds all files that a file imports, directly or indirectly, and the file itself. */
function reachableFrom(
  start: string,
  files: ReadonlyMap<string, SourceFile>,
  isFollowed: (found: Import) => boolean = () => true,
): Set<string> {
  const reached = new Set([start])
  for (const path of reached) {
    const imports = files.get(path)?.imports ?? []
    for (const found of imports) if (isFollowed(found)) reached.add(found.path)
  }
  return reached
}

/** Finds groups of files that import each other, directly or indirectly. */
function findCircles(files: ReadonlyMap<string, SourceFile>): string[][] {
  const reach = new Map([...files.keys()].map((path) => [path, reachableFrom(path, files)]))
  const circles = [...files.keys()].map((path) =>
    [...(reach.get(path) ?? [])].filter((other) => reach.get(other)?.has(path)).sort(),
  )
  const selfImports = [...files.values()].filter(({ path, imports }) =>
    imports.some((found) => found.path === path),
  )
  const different = new Map(
    circles.filter(({ length }) => length > 1).map((circle) => [circle.join(), circle]),
  )
  return [...different.values(), ...selfImports.map(({ path }) => [path])]
}

/**
 * Finds small files with a single importer, because their code belongs in that importer. Ports
 * stand alone by design.
 */
function findLonelyFunctions(sources: readonly SourceFile[], all: readonly SourceFile[]): string[] {
  return sources
    .filter(
      ({ exportedValues, codeLines }) => exportedValues === 1 && codeLines < minimumLonelyLines,
    )
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('src/ports/') && countImporters(path, all) === 1)
}

function countImporters(path: string, all: readonly SourceFile[]): number {
  return all.filter(({ imports }) => imports.some((found) => found.path === path)).length
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function report(text: string, isWithin: boolean, details: readonly string[] = []): void {
  console.log(isWithin ? text : `TOO MUCH: ${text}`)
  if (isWithin) return
  for (const detail of details) console.log(`  ${detail}`)
  process.exitCode = 1
}

function describeCount(count: number, bound: number | undefined, unit: string): string {
  return bound === undefined ? `${count} ${unit}` : `${count} of at most ${bound} ${unit}`
}

function checkFolder(bound: FolderBound, sources: readonly SourceFile[]): void {
  const { folders, files, lines, aim } = bound
  const found = sources.filter(({ path }) =>
    folders.some((folder) => path.startsWith(`${folder}/`)),
  )
  const total = sum(found.map((source) => source.lines))
  const counts = [describeCount(found.length, files, 'files'), describeCount(total, lines, 'lines')]
  if (aim !== undefined && total > aim) counts.push(`${total - aim} more than the aim of ${aim}`)
  report(
    `${folders.join(', ')}: ${counts.join(', ')}`,
    total <= lines && found.length <= (files ?? found.length),
  )
}

function checkDocument({ path, unit, most, count }: DocumentBound): void {
  const counted = count(readFileSync(path, 'utf8'))
  report(`${path}: ${describeCount(counted, most, unit)}`, counted <= most)
}

/** Counts the lines in a terminal, which breaks long lines. */
function countTerminalLines(text: string): number {
  const heights = text.split('\n').map(({ length }) => Math.ceil(length / terminalColumns))
  return sum(heights.map((height) => Math.max(1, height)))
}

async function checkHelp(): Promise<void> {
  const helps = [...(await readCommandHelps())]
    .map(([id, text]) => ({ id, lines: countTerminalLines(text) }))
    .sort((left, right) => right.lines - left.lines)
  const others = helps.filter(({ id }) => id !== 'serve')
  const serve = helps.find(({ id }) => id === 'serve')?.lines ?? 0
  const longest = others[0] ?? { id: 'none', lines: 0 }
  const tooLong = others.filter(({ lines }) => lines > maximumHelpLines.others)
  report(
    `help: ${describeCount(longest.lines, maximumHelpLines.others, 'lines')} (${longest.id.replaceAll(':', ' ')}), ${describeCount(serve, maximumHelpLines.serve, 'lines')} (serve)`,
    tooLong.length === 0 && serve <= maximumHelpLines.serve,
    tooLong.map(({ id, lines }) => `${id}: ${lines}`),
  )
}

const sources = readFolder('src')
const program = [...sources, ...readFolder('bin'), ...readFolder('commands')]
const files = new Map(program.map((source) => [source.path, source]))
for (const bound of folderBounds) checkFolder(bound, sources)

report(
  `src: ${describeCount(sources.length, maximumSourceFiles, 'files')}, ${sum(sources.map(({ lines }) => lines))} lines`,
  sources.length <= maximumSourceFiles,
)

const written = sources.filter(({ path }) => !generatedFiles.includes(path))
const long = written.filter(({ lines }) => lines > maximumFileLines)
report(
  `src: ${long.length} files over ${maximumFileLines} lines, the longest has ${Math.max(...written.map(({ lines }) => lines))}`,
  long.length === 0,
  long.map(({ path, lines }) => `${path}: ${lines}`),
)

const functions = written.flatMap((source) => source.functions)
const ninety = percentile(functions, 0.9)
report(
  `src: 90 % of ${functions.length} functions have at most ${ninety} lines, half of them at most ${percentile(functions, 0.5)}`,
  ninety < functionLinesBound,
)

const lonely = findLonelyFunctions(written, program)
report(
  `src: ${lonely.length} files that export one function under ${minimumLonelyLines} lines to one importer`,
  lonely.length === 0,
  lonely,
)

const circles = findCircles(files)
report(
  `bin, commands, src: ${circles.length} circles of imports, types included`,
  circles.length === 0,
  circles.map((circle) => circle.join(', ')),
)

const orderFiles = reachableFrom(orderEntry, files, ({ isTypeOnly }) => !isTypeOnly)
report(
  `${orderEntry} loads ${describeCount(orderFiles.size, maximumOrderFiles, 'files')}`,
  orderFiles.size <= maximumOrderFiles,
  [...orderFiles].sort(),
)

for (const bound of documentBounds) checkDocument(bound)

const scripts = readdirSync('scripts', { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
)
report(
  `scripts: ${describeCount(scripts.length, maximumScripts, 'files')}`,
  scripts.length <= maximumScripts,
)

await checkHelp()

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/** The only function that makes a signature, for everything that sends or tests webhooks. */
const signWebhook = 'src/usecases/webhooks/sign-webhook.ts'

/** What describes the JSON that a tool prints. */
const descriptions = ['src/wire/view.ts', 'src/wire/json-schema.ts']

/**
 * The parts and single files from which each part may import, besides itself. Imports that are not
 * listed are forbidden, and a part that is not listed may import no other.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: ['commands', 'src/cli'],
  commands: [
    'src/tools',
    'src/cli',
    'src/http',
    'src/operations',
    'src/wire',
    signWebhook,
    'src/domain',
    'src/config',
  ],
  // Each of the partners' tools has its own arrows. Only commands/ and the package's exports open
  // them.
  'src/tools/certify': [
    ...descriptions,
    'src/tools/junit',
    'src/open-service',
    'src/wire/events.ts',
    signWebhook,
    'src/usecases/webhooks/send-webhook.ts',
    'src/usecases/share-purchases/record-transition.ts',
    'src/ports/webhook-sender.ts',
    'src/domain',
  ],
  // The client that partners install.
  'src/tools/client': ['src/tools/signature', 'src/wire/signature-vectors.ts', 'src/contract'],
  'src/tools/contract': [
    ...descriptions,
    'src/cli/files/read-file.ts',
    'src/contract',
    'src/domain',
  ],
  'src/tools/junit': ['src/cli/files/read-file.ts', 'src/config', 'src/domain'],
  'src/tools/listen': [
    ...descriptions,
    'src/cli/connect.ts',
    'src/cli/connection.ts',
    'src/cli/stop-signal.ts',
    'src/machine/durable-files.ts',
    'src/open-service',
    'src/operations/events.ts',
    'src/operations/operations.ts',
    'src/operations/webhooks.ts',
    'src/wire/fields.ts',
    'src/usecases/webhooks/send-webhook.ts',
    'src/domain',
  ],
  'src/tools/receive': [
    ...descriptions,
    'src/tools/signature',
    'src/cli/errors.ts',
    'src/cli/files/read-file.ts',
    'src/cli/stop-signal.ts',
    'src/domain',
  ],
  // It starts a service in its own process, and asks it through operations.
  'src/tools/scenario': [
    'src/tools/junit',
    'src/tools/receive',
    'src/cli',
    'src/config',
    'src/http/operation-ids.ts',
    'src/operations',
    'src/wire',
    'src/usecases/service.ts',
    'src/usecases/investors/investors.ts',
    'src/domain',
  ],
  'src/tools/signature': [
    ...descriptions,
    'src/cli/files/read-file.ts',
    'src/config',
    'src/wire/events.ts',
    'src/domain',
  ],
  // The module that partners install: it knows the service only by HTTP, and signs webhooks as the
  // service does.
  'src/tools/testing': [signWebhook],
  'src/tools/with': [...descriptions, 'src/tools/testing', 'src/config'],
  'src/cli': [
    'src/machine',
    'src/contract',
    'src/open-service',
    'src/config',
    'src/http',
    'src/operations',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  'src/open-service': [
    'src/machine',
    'src/adapters',
    'src/config',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  'src/config': ['src/usecases', 'src/ports', 'src/domain'],
  'src/http': [
    'src/http/console',
    'src/machine',
    'src/contract',
    'src/operations',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  // Pages read and change only what operations allow, so neither use cases nor the store are here.
  'src/http/console': [
    'src/machine',
    'src/contract',
    'src/http',
    'src/operations',
    'src/wire',
    'src/ports/clock.ts',
    'src/ports/logger.ts',
    'src/ports/vault.ts',
    'src/domain',
  ],
  'src/operations': ['src/machine', 'src/wire', 'src/usecases', 'src/ports', 'src/domain'],
  // contract-check.ts compares it with the types of the contract.
  'src/wire': ['src/contract', 'src/usecases', 'src/ports', 'src/domain'],
  'src/contract': ['src/domain'],
  'src/adapters': ['src/machine', 'src/ports', 'src/domain'],
  'src/usecases': ['src/machine', 'src/ports', 'src/domain'],
  'src/machine': ['src/ports', 'src/domain'],
  'src/ports': ['src/domain'],
  'src/domain': [],
}

/** The domain does no I/O, so it may use only these packages, which do no I/O. */
const pureLibraries = ['any-ascii', 'ibantools', 'saxes', 'uuid']

/** Use cases have a store, and no files. */
const machineFiles = ['src/machine/files.ts', 'src/machine/durable-files.ts']
const usersOfFiles = /^src\/(machine|adapters|open-service|cli|tools\/[a-z]+)$/

/** Returns a line for each import below `root` that violates the arrows. */
export function findForbiddenImports(root: string): string[] {
  return sourceFiles(root).flatMap((file) => forbiddenIn(root, file))
}

/** Returns a line for each group of files that import each other, types included. */
export function findCircles(root: string): string[] {
  const imports = new Map(
    sourceFiles(root).map((file) => {
      const own = importsOf(file).filter((specifier) => specifier.startsWith('.'))
      return [resolve(file), own.map((specifier) => resolve(dirname(file), specifier))]
    }),
  )
  const reachedFrom = new Map([...imports.keys()].map((path) => [path, reachFrom(path, imports)]))
  const circles = [...imports.keys()].map((path) =>
    [...(reachedFrom.get(path) ?? [])].filter((other) => reachedFrom.get(other)?.has(path)),
  )
  const lines = circles
    .filter(({ length }) => length > 0)
    .map((circle) => circle.map((path) => relative(resolve(root), path)).sort())
    .map((circle) => circle.join(', '))
  return [...new Set(lines)]
}

/** Returns all files that a file imports, directly or indirectly. */
function reachFrom(start: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(imports.get(start))
  for (const path of reached) for (const target of imports.get(path) ?? []) reached.add(target)
  return reached
}

/**
 * Below src/, only these files use the machine directly. All other code uses it through
 * src/machine/, so that a simulation can take its place. A simulation replaces the adapters that
 * use sockets, such as the one for PostgreSQL, and it does not simulate commands.
 */
const knowTheMachine = [
  /^src\/machine\//,
  /^src\/adapters\/(postgres|outgoing|webhook-sender)\//,
  /^src\/adapters\/(bank-directory|logger|mailer\/smtp-mailer|file-lock\/lock)\.ts$/,
  /^src\/http\/protocol-errors\.ts$/,
  /^src\/config\/database-flags\.ts$/,
  /^src\/cli\/(?!serve\/|control-file\.ts)/,
  /^src\/tools\//,
  /^src\/cli\/serve\/(http-server|log-form|log-lines|lingering-connections|requirements|serve)\.ts$/,
]

const machineModules =
  /^node:(fs|fs\/promises|timers|timers\/promises|net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|worker_threads)$/
/** Exports of those modules that do not use the machine. */
const computed = ['isIP', 'STATUS_CODES']
/** These sign, with a clock and threads of their own. */
const signers = ['SignJWT', 'jwtVerify', 'importJWK', 'calculateJwkThumbprint', 'generateKeyPair']
/** What other modules ask the machine. */
const machineNames: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': [
    'randomBytes',
    'randomFillSync',
    'randomFill',
    'randomInt',
    'randomUUID',
    'generateKeyPair',
    'generateKeyPairSync',
    'webcrypto',
  ],
  jose: signers,
  'node:os': ['hostname', 'networkInterfaces', 'cpus', 'freemem'],
  'node:process': ['hrtime'],
}
const machineGlobals =
  /^(setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|fetch|performance|process\.pid|process\.hrtime|process\.kill|Date\.now|Math\.random|AbortSignal\.timeout|crypto\.(randomUUID|getRandomValues|subtle))$/

/** Returns a line for each use of the machine below `root`/src that does not go through a port. */
export function findMachineUses(root: string): string[] {
  return filesIn(join(root, 'src'))
    .map((file) => relative(root, file))
    .filter((path) => !knowTheMachine.some((known) => known.test(path)))
    .flatMap((path) =>
      [...new Set(machineUsesIn(join(root, path)))].map((use) => `${path} uses ${use}`),
    )
}

function machineUsesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const imported = new Set<string>()
  const found: string[] = []
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue
    const { text: module } = statement.moduleSpecifier
    const names = valueNamesOf(statement.importClause)
    for (const { local } of names) imported.add(local)
    const areComputed = names.every(({ name }) => computed.includes(name))
    if (!areComputed && machineModules.test(module)) found.push(module)
    const asked = names.filter(({ name }) => machineNames[module]?.includes(name))
    found.push(...asked.map(({ name }) => name))
  }
  const visit = (node: ts.Node): void => {
    const name = nameOfUse(node)
    if (name !== undefined && machineGlobals.test(name) && !imported.has(name)) found.push(name)
    if (isNewDate(node)) found.push('new Date()')
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function valueNamesOf(clause: ts.ImportClause | undefined): { name: string; local: string }[] {
  if (!clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return []
  const { name, namedBindings: bindings } = clause
  const whole = name ? [{ name: 'default', local: name.text }] : []
  if (!bindings) return whole
  if (ts.isNamespaceImport(bindings)) return [...whole, { name: '*', local: bindings.name.text }]
  const named = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly)
  return [
    ...whole,
    ...named.map((one) => ({ name: (one.propertyName ?? one.name).text, local: one.name.text })),
  ]
}

/**
 * Finds uses such as `Date.now` and `setTimeout`, but neither `clock.setTimeout` nor the name of a
 * member.
 */
function nameOfUse(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    return ts.isIdentifier(node.expression)
      ? `${node.expression.text}.${node.name.text}`
      : undefined
  }
  if (!ts.isIdentifier(node)) return undefined
  const { parent } = node
  if (ts.isCallExpression(parent) && parent.expression === node) return node.text
  return ts.isPropertyAccessExpression(parent) && parent.expression === node ? node.text : undefined
}

function isNewDate(node: ts.Node): boolean {
  return (
    ts.isNewExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'Date' &&
    !node.arguments?.length
  )
}

function forbiddenIn(root: string, file: string): string[] {
  const from = partOf(relative(root, file))
  return importsOf(file)
    .filter((specifier) => !isAllowed(root, { file, from, specifier }))
    .map((specifier) => `${relative(root, file)} imports ${specifier}`)
}

interface Import {
  readonly file: string
  readonly from: string
  readonly specifier: string
}

function isAllowed(root: string, { file, from, specifier }: Import): boolean {
  if (!specifier.startsWith('.')) return from !== 'src/domain' || pureLibraries.includes(specifier)
  const target = relative(root, resolve(dirname(file), specifier))
  if (target === 'package.json' || target === 'oclif.manifest.json') return true
  const to = partOf(target)
  if (machineFiles.includes(target) && !usersOfFiles.test(from)) return false
  const allowed = arrows[from] ?? []
  return to === from || [to, target, dirname(to)].some((part) => allowed.includes(part))
}

/**
 * Returns the part to which a file belongs: `src/cli` for `src/cli/files/yaml.ts`, `src/config` for
 * `src/config.ts`, `src/tools/with` for each file of that tool, `src/http/console` for each page,
 * and `commands` for `commands/serve.ts`.
 */
function partOf(path: string): string {
  const [top = '', ...below] = path.split('/')
  const depth = below[0] === 'tools' || path.startsWith('src/http/console/') ? 2 : 1
  return top === 'src' ? join(top, ...below.slice(0, depth)).replace(/\.ts$/, '') : top
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map((found) => found.fileName)
}

function sourceFiles(root: string): string[] {
  const folders = ['bin', 'commands', 'src'].map((folder) => join(root, folder))
  return folders.filter((folder) => existsSync(folder)).flatMap(filesIn)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

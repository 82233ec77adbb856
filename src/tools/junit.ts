import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { rethrowWithPath } from '../cli/files/read-file.ts'
import { invalid } from '../config/common-flags.ts'
import { escapeInvisible } from '../domain/text.ts'

interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/** At most one of `failure` and `skipped` is set; if neither is, the case has passed. */
export interface JunitCase {
  readonly classname: string
  readonly name: string
  readonly seconds: number
  readonly failure?: { readonly message: string; readonly text: string }
  readonly skipped?: string
  readonly output?: string
}

export const junitFlag = Flags.string({
  helpValue: 'FILE',
  parse: requireWritable,
  description: 'Also write a JUnit report for CI.',
})

/** After a run of minutes, an error about the file would hide the result. */
async function requireWritable(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  const isDirectory = found ? found.isDirectory() : file.endsWith('/')
  const place = found ? file : dirname(resolve(file))
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (isWritable && !isDirectory) return file
  throw invalid(`--junit ${file} cannot be written. Give a file in a directory that exists.`)
}

export async function writeJunit(file: string, suite: JunitSuite): Promise<void> {
  await writeFile(file, renderJunit(suite)).catch(rethrowWithPath(file))
}

/**
 * Renders a report that CI servers read. The library for such reports is not used, because it would bring the whole
 * of lodash into the program.
 */
function renderJunit({ name, cases }: JunitSuite): string {
  const totals = {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: secondsOf(cases.reduce((sum, { seconds }) => sum + seconds, 0)),
  }
  const suite = element('testsuite', { name, ...totals }, cases.map(renderCase).join('\n'))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', totals, suite)}\n`
}

function renderCase({ classname, name, seconds, failure, skipped, output }: JunitCase): string {
  const parts = [
    ...(failure ? [element('failure', { message: failure.message }, escapeXml(failure.text))] : []),
    ...(skipped === undefined ? [] : [element('skipped', { message: skipped })]),
    ...(output === undefined ? [] : [element('system-out', {}, escapeXml(output))]),
  ]
  return element('testcase', { classname, name, time: secondsOf(seconds) }, parts.join('\n'))
}

function secondsOf(seconds: number): string {
  return seconds.toFixed(3)
}

type Attributes = Readonly<Record<string, string | number>>

function element(name: string, attributes: Attributes, content = ''): string {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const open = `<${name}${listed.join('')}`
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML 1.0 has no form for most control characters, so they are shown as escapes. */
function escapeXml(value: string | number): string {
  const visible = escapeInvisible(String(value)).replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
  return visible.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

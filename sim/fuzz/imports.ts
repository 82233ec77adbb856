// Fuzzes the files that users import: fixtures and catalogues.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { cooperativeColumns, rowsOf } from '../../src/cli/files/cooperative-table.ts'
import { renderCsv, renderXlsx } from '../../src/cli/files/spreadsheet.ts'
import { readCooperativeFiles } from '../../src/cli/read-cooperative-file.ts'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import { Dice } from '../dice.ts'
import { mutateBytes } from './mutate.ts'
import type { FuzzResult } from './result.ts'

/** Reads the valid files that the fuzzer changes. */
export async function importFiles(): Promise<ImportFiles> {
  const fixtures = ['fixtures/demo.yaml', 'examples/fixtures.yaml']
  const cooperatives = (await readFixtureFiles(fixtures)).input.cooperatives ?? []
  const rows = rowsOf(cooperatives.slice(0, 2))
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-fuzz-'))
  const catalogues = ['csv', 'xlsx', 'yaml'].map((ending) => join(directory, `catalogue.${ending}`))
  const [csv = '', xlsx = '', yaml = ''] = catalogues
  writeFileSync(csv, renderCsv(cooperativeColumns, rows))
  writeFileSync(xlsx, await renderXlsx(cooperativeColumns, rows))
  writeFileSync(yaml, JSON.stringify(cooperatives.slice(0, 2)))
  return { fixtures, catalogues }
}

export interface ImportFiles {
  readonly fixtures: readonly string[]
  readonly catalogues: readonly string[]
}

export async function fuzzImports(
  seed: number,
  count: number,
  { fixtures, catalogues }: ImportFiles,
): Promise<FuzzResult> {
  const dice = new Dice(seed, 8)
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-fuzz-'))
  const outcomes: Record<string, number> = {}
  const findings: { fault: string; input: unknown }[] = []
  for (let number = 0; number < count; number += 1) {
    const isFixture = catalogues.length === 0 || dice.chance(0.5)
    const source = dice.pick(isFixture ? fixtures : catalogues) ?? ''
    let bytes: Buffer = readFileSync(source)
    do bytes = mutateBytes(dice, bytes)
    while (dice.chance(0.5))
    const file = join(directory, basename(source))
    writeFileSync(file, bytes)
    const read: Promise<unknown> = isFixture
      ? readFixtureFiles([file])
      : readCooperativeFiles([file])
    const outcome = await read.then(() => 'read', refusalOf)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (outcome.includes(' ')) findings.push({ fault: outcome, input: bytes.toString('base64') })
  }
  rmSync(directory, { recursive: true })
  return { tried: count, outcomes, findings }
}

/** Returns the code of the refusal, or the place of the crash. */
function refusalOf(error: Error): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && !code.startsWith('ERR_')) return code
  return `${error.name}: ${error.message} (${error.stack?.split('\n')[1]?.trim()})`
}

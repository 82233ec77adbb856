// How large the adapters are, counted from the files themselves: what grows past this is doing more than its job.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Bound {
  readonly folder: string
  readonly lines: number
  readonly files?: number
}

const bounds: readonly Bound[] = [
  { folder: 'src/adapters/postgres', files: 30, lines: 3000 },
  { folder: 'src/adapters/lowdb', files: 22, lines: 3200 },
  { folder: 'src/adapters', lines: 7800 },
]

function measure(folder: string): { readonly files: number; readonly lines: number } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts'))
  const lines = sources.map(
    (name) => readFileSync(join(folder, name), 'utf8').split('\n').length - 1,
  )
  return { files: sources.length, lines: lines.reduce((sum, count) => sum + count, 0) }
}

function describe(count: number, bound: number | undefined, unit: string): string {
  return bound === undefined ? `${count} ${unit}` : `${count} of at most ${bound} ${unit}`
}

for (const bound of bounds) {
  const { files, lines } = measure(bound.folder)
  console.log(
    `${bound.folder}: ${describe(files, bound.files, 'files')}, ${describe(lines, bound.lines, 'lines')}`,
  )
  if (lines > bound.lines || files > (bound.files ?? files)) process.exitCode = 1
}

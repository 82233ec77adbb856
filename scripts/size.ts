// `npm run size [-- COMMIT]` prints how many files, lines and functions each folder has, beside
// those of a commit if one is given. Generated files do not count.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'

/** `npm run contract` and `npm run embed` write these files. */
const generatedFiles = ['src/contract/documents.ts', 'src/contract/types.ts']

interface Size {
  readonly files: number
  readonly lines: number
  /** The number of lines of each function, in ascending order. */
  readonly functions: readonly number[]
}

/** Reads the sizes of the folders of a work tree: each folder of src, and the others at the top. */
function readSizes(root: string, paths: readonly string[]): Map<string, Size> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const folder = /^(src\/[^/]+(?=\/)|[^/]+)/.exec(path)?.[0] ?? path
    const members = groups.get(folder) ?? []
    groups.set(folder, [...members, path])
  }
  return new Map([...groups].map(([folder, members]) => [folder, readSize(root, members)]))
}

function readSize(root: string, paths: readonly string[]): Size {
  const texts = paths.map((path) => readFileSync(join(root, path), 'utf8'))
  return {
    files: texts.length,
    lines: sum(texts.map(countLines)),
    functions: texts.flatMap(functionLines).sort((left, right) => left - right),
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

/** The lines of a callback count twice: for the function around it, and for the callback itself. */
function functionLines(text: string): number[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
      found.push(lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function addUp(sizes: Iterable<Size>): Size {
  const all = [...sizes]
  return {
    files: sum(all.map(({ files }) => files)),
    lines: sum(all.map(({ lines }) => lines)),
    functions: all.flatMap(({ functions }) => functions).sort((left, right) => left - right),
  }
}

function isCounted(path: string): boolean {
  return path.endsWith('.ts') && !generatedFiles.includes(path)
}

function listFiles(...command: readonly string[]): string[] {
  return execFileSync('git', command, { encoding: 'utf8' }).split('\0').filter(isCounted)
}

function isCommit(name: string): boolean {
  const query = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
  return spawnSync('git', query).status === 0
}

function readCommit(commit: string): Map<string, Size> {
  const root = mkdtempSync(join(tmpdir(), 'coopshare-size-'))
  try {
    const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1024 ** 3 })
    execFileSync('tar', ['-x', '-C', root], { input: archive })
    return readSizes(root, listFiles('ls-tree', '-r', '-z', '--name-only', commit))
  } finally {
    rmSync(root, { recursive: true })
  }
}

function readWorkTree(): Map<string, Size> {
  return readSizes('.', listFiles('ls-files', '-z'))
}

const at = (values: readonly number[], share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function describe({ files, lines, functions }: Size): number[] {
  return [files, lines, functions.length, at(functions, 0.5), at(functions, 0.9), at(functions, 1)]
}

const compare = (count: number, earlier = count) =>
  count === earlier ? `${count}` : `${earlier} → ${count}`

const none: Size = { files: 0, lines: 0, functions: [] }
const units = ['files', 'lines', 'functions', 'median', '90 %', 'longest']

function printSizes(now: Map<string, Size>, before?: Map<string, Size>): void {
  const show = (name: string, size: Size, earlier: Size | undefined) => {
    const past = earlier && describe(earlier)
    return [name, ...describe(size).map((count, i) => compare(count, past?.[i]))]
  }
  const folders = [...new Set([...(before?.keys() ?? []), ...now.keys()])].sort()
  const program = (sizes: Map<string, Size>) =>
    addUp([...sizes].filter(([name]) => /^(src|bin|commands)\b/.test(name)).map(([, size]) => size))
  const rows = [
    ['folder', ...units],
    ...folders.map((folder) =>
      show(folder, now.get(folder) ?? none, before && (before.get(folder) ?? none)),
    ),
    show('src, bin, commands', program(now), before && program(before)),
    show('all', addUp(now.values()), before && addUp(before.values())),
  ]
  const widths = ['', ...units].map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  for (const [name = '', ...counts] of rows) {
    const columns = counts.map((count, i) => count.padStart(widths[i + 1] ?? 0))
    console.log([name.padEnd(widths[0] ?? 0), ...columns].join('   '))
  }
  console.log('"median", "90 %" and "longest" are lines of a function.')
}

const commit = process.argv[2]
if (commit !== undefined && !isCommit(commit)) {
  console.error(`git knows no commit "${commit}". \`git log\` lists the commits.`)
  process.exitCode = 1
} else printSizes(readWorkTree(), commit === undefined ? undefined : readCommit(commit))

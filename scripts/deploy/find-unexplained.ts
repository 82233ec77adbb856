import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const page = 'deploy/README.md'
/** Passes on what it is given. */
const wrapper = 'adapters/logger.ts'

/** Metrics and lines of the log that whoever runs the service is not told the meaning of, and what is explained in vain. */
export function findUnexplained(sources: string, text: string): string[] {
  const told = readTold(sources)
  const explained = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell)
  return [
    ...without(told, explained).map((name) => `${page} does not say what \`${name}\` means.`),
    ...without(explained, told).map((name) => `${page} explains \`${name}\`, which nothing says.`),
  ]
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name))
}

function readTold(sources: string): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const told = files
    .filter((file) => file.endsWith('.ts') && file !== wrapper)
    .flatMap((file) => readFile(join(sources, file)))
  return [...new Set(told)]
}

function readFile(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  // Reading one takes longer than looking for these.
  if (!/logger|coopshare_/.test(text)) return []
  return readNode(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}

/** Depth first. */
function readNode(node: ts.Node): string[] {
  const found = metricIn(node) ?? messageIn(node)
  return [...(found === undefined ? [] : [found]), ...node.getChildren().flatMap(readNode)]
}

function metricIn(node: ts.Node): string | undefined {
  return ts.isStringLiteral(node) && /^coopshare_[a-z_]+$/.test(node.text) ? node.text : undefined
}

/** As it is written where it is no plain text: that is explained nowhere, so it is found. */
function messageIn(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !/logger\.(info|warn|error)$/.test(node.expression.getText()))
    return
  const message = node.arguments[1]
  return message && ts.isStringLiteral(message) ? message.text : message?.getText()
}

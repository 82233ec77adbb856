import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const page = 'docs/deploy/log.md'
/** This file passes on the messages that it gets. */
const wrapper = 'adapters/logger.ts'

/**
 * Finds lines of the log that the page does not explain, and explanations of lines that do not
 * exist.
 */
export function findUnexplained(sources: string, text: string): string[] {
  const told = readTold(sources)
  const [, log = ''] = text.split('\n## The log\n')
  const explained = [...log.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell)
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
  // Parsing a file takes longer than this search.
  if (!text.includes('logger')) return []
  return readNode(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}

/** Depth first. */
function readNode(node: ts.Node): string[] {
  const found = messageIn(node)
  return [...(found === undefined ? [] : [found]), ...node.getChildren().flatMap(readNode)]
}

/**
 * The source text of a message that is not a plain string. No page explains it, so the check
 * reports it.
 */
function messageIn(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !/logger\.(info|warn|error)$/.test(node.expression.getText()))
    return
  const message = node.arguments[1]
  return message && ts.isStringLiteral(message) ? message.text : message?.getText()
}

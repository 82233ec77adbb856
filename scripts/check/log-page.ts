import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const logPage = 'docs/deploy/log.md'
/** This file also passes on messages of other files. */
const wrapper = 'adapters/logger.ts'

/** Finds log messages that the page does not explain, and explained messages that do not exist. */
export function findLogFaults(): string[] {
  const told = readTold('src')
  const [, log = ''] = readFileSync(logPage, 'utf8').split('\n## The log\n')
  const explained = [...log.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell)
  return [
    ...without(told, explained).map((name) => `${logPage} does not say what \`${name}\` means.`),
    ...without(explained, told).map(
      (name) => `${logPage} explains \`${name}\`, which the service never logs.`,
    ),
  ]
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name))
}

function readTold(sources: string): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const told = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFile(join(sources, file), file !== wrapper))
  return [...new Set(told)]
}

function readFile(file: string, areAllRead: boolean): string[] {
  const text = readFileSync(file, 'utf8')
  // This search is faster than parsing every file.
  if (!/logger/i.test(text)) return []
  const found = readNode(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return areAllRead ? found : found.filter((message) => message !== 'message')
}

/** Walks the tree depth first. */
function readNode(node: ts.Node): string[] {
  const found = messageIn(node)
  return [...(found === undefined ? [] : [found]), ...node.getChildren().flatMap(readNode)]
}

/**
 * Returns a message, or its source text if it is not a plain string. The check then reports the
 * source text, because no page explains it.
 */
function messageIn(node: ts.Node): string | undefined {
  if (
    !ts.isCallExpression(node) ||
    !/logger(\w*\(.*\))?\.(info|warn|error)$/i.test(node.expression.getText())
  )
    return
  const message = node.arguments[1]
  return message && ts.isStringLiteral(message) ? message.text : message?.getText()
}

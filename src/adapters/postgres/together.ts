import { LRUCache } from 'lru-cache'
import { type Ask, numberOf, type Statement } from './statements.ts'

/** Of all that this program says together; a text that is said again is prepared already. */
const mostTexts = 1000

/** Questions in one statement, each answered with its rows as JSON. They see the same moment. */
export async function askTogether(
  ask: Ask,
  questions: readonly Statement[],
): Promise<readonly (readonly unknown[])[]> {
  const [answers] = await ask<Answers>(joinQuestions(questions), all(questions))
  return questions.map((_, index) => answers?.[index] ?? [])
}

/** Changes in one statement, none of which sees another. */
export async function changeTogether(
  ask: Ask,
  changes: readonly Statement[],
): Promise<readonly undefined[]> {
  const [only, another] = changes
  if (only && !another) await ask(only.text, only.values)
  else await ask(joinChanges(changes), all(changes))
  return changes.map(() => undefined)
}

interface Answers {
  readonly [index: number]: readonly unknown[] | null
}

const joinQuestions = createJoin((texts) => {
  const columns = texts.map((text, index) => `(select json_agg(q) from (${text}) q) as "${index}"`)
  return `select ${columns.join(', ')}`
})

// Counted in the order of the columns, so they are carried out in that order.
const joinChanges = createJoin((texts) => {
  const changes = texts.map((text, index) => `c${index} as (${text} returning 1)`)
  const columns = texts.map((_, index) => `(select count(*)::integer from c${index}) as "${index}"`)
  return `with ${changes.join(', ')} select ${columns.join(', ')}`
})

function createJoin(write: (texts: readonly string[]) => string) {
  const written = new LRUCache<string, string>({ max: mostTexts })
  return (statements: readonly Statement[]): string => {
    const name = statements.map(({ text }) => numberOf(text)).join()
    const text = written.get(name) ?? write(renumber(statements))
    written.set(name, text)
    return text
  }
}

/** The parameters of all of them, one after the other. */
function renumber(statements: readonly Statement[]): string[] {
  let first = 0
  return statements.map(({ text, values }) => {
    const before = first
    first += values.length
    return text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`)
  })
}

function all(statements: readonly Statement[]) {
  return statements.flatMap(({ values }) => values)
}

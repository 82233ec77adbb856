import { Errors } from '@oclif/core'
import t from 'tap'
import { exitCodeOfAll } from '../../src/cli/bulk.ts'
import { describeError, exitCodeOf, renderError } from '../../src/cli/errors.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'
import { Problem } from '../../src/domain/problem.ts'
import type { ProblemCode } from '../../src/domain/problem-code.ts'
import { tryEach } from '../../src/operations/bulk/try-each.ts'

t.test('each error has its exit code', async (t) => {
  const rows: [ProblemCode, number][] = [
    ['ORGANIZATION_NOT_FOUND', 3],
    ['CLIENT_NOT_FOUND', 3],
    ['SHARE_PURCHASE_NOT_FOUND', 3],
    ['COOPERATIVE_NOT_FOUND', 3],
    ['VALIDATION_ERROR', 4],
    ['SHARE_PURCHASE_ILLEGAL_STATE', 4],
    ['NAME_TAKEN', 4],
    ['ENVIRONMENT_MISMATCH', 4],
    ['TESTING_AID_IN_PRODUCTION', 4],
    ['STORE_NOT_EMPTY', 4],
    ['UNAUTHENTICATED', 5],
    ['SERVICE_UNAVAILABLE', 5],
    ['STORE_NEWER', 5],
    ['STORE_LOCKED', 5],
    ['STORE_NOT_FOUND', 5],
    ['DATA_DIRECTORY_NOT_PRIVATE', 5],
    ['STORE_MOVED', 5],
    ['STORE_DAMAGED', 5],
    ['ENCRYPTION_KEY_REFUSED', 5],
  ]
  for (const [code, exit] of rows) t.equal(exitCodeOf(new Problem(code, 'No.')), exit, code)
  t.equal(exitCodeOf(new Errors.CLIError('No.', { exit: 2 })), 2, 'wrong usage')
  t.equal(exitCodeOf(new Error('No.')), 1, 'anything else')
  const unknown = new Problem('OF_A_LATER_VERSION' as ProblemCode, 'No.')
  t.equal(exitCodeOf(unknown), 1, 'a code that a later version adds')
})

t.test('an error under --json has a code, a message, and fields if there are any', async (t) => {
  const errors = { share_price: 'is required' }
  const rows: [title: string, error: unknown, rendered: unknown][] = [
    ['a refusal', new Problem('NAME_TAKEN', 'Taken.'), { code: 'NAME_TAKEN', message: 'Taken.' }],
    [
      'a refusal of fields',
      new Problem('VALIDATION_ERROR', 'Not valid.', { errors }),
      { code: 'VALIDATION_ERROR', message: 'Not valid.', errors },
    ],
    [
      'wrong usage',
      new Errors.CLIError('Missing flag.', { exit: 2 }),
      { code: 'WRONG_USAGE', message: 'Missing flag.' },
    ],
    ['a fault', new Error('Oh.'), { code: 'FAILED', message: 'Oh.' }],
    ['no error at all', 'oh', { code: 'FAILED', message: 'oh' }],
  ]
  for (const [title, error, rendered] of rows) t.strictSame(renderError(error), rendered, title)
  const refused = new Problem('VALIDATION_ERROR', 'Not valid.', { errors })
  t.equal(describeError(refused), 'Not valid.\n  share_price is required')
  const single = new Problem('VALIDATION_ERROR', 'share_price is required.', { errors })
  t.equal(describeError(single), 'share_price is required.', 'the same is not said again')
})

t.test('a table has aligned columns, no lines and no trailing blanks', async (t) => {
  const rows = [
    { name: 'Demo Bank', on: true, note: null },
    { name: 'N', on: false, note: 'x' },
  ]
  const table = renderTable(rows, {
    NAME: ({ name }) => name,
    ON: ({ on }) => on,
    NOTE: ({ note }) => note,
  })
  t.equal(table, 'NAME       ON   NOTE\nDemo Bank  yes  -\nN          no   x')
  t.equal(renderFields({ id: 7, name: undefined }), 'id    7\nname  -')
})

t.test('all ids are tried in the given order', async (t) => {
  const ids = Array.from({ length: 40 }, (_, index) => String(index))
  const seen: string[] = []
  const tried = await tryEach([ids], {
    act: async (id) => {
      if (id === '3') throw new Problem('SHARE_PURCHASE_NOT_FOUND', 'No.')
      return id
    },
    onTried: ({ id }) => seen.push(id),
  })
  t.strictSame(seen, ids)
  t.equal(tried.length, 40)
  t.equal(exitCodeOfAll(tried), 3)
  t.equal(exitCodeOfAll([]), 0)
})

t.test('a refusal of who asks ends the whole command', async (t) => {
  const error = new Problem('UNAUTHENTICATED', 'Who?')
  await t.rejects(tryEach([['a', 'b']], { act: () => Promise.reject(error) }), error)
})

t.test('while the service cannot be reached, the other ids are not tried', async (t) => {
  const ids = Array.from({ length: 40 }, (_, index) => String(index))
  const outage = new Problem('SERVICE_UNAVAILABLE', 'Gone.')
  const rows: [title: string, fails: (id: string) => boolean, tries: number][] = [
    ['for one record only', (id) => id === '3', 40],
    ['from the second batch on', (id) => Number(id) >= 16, 32],
  ]
  for (const [title, fails, tries] of rows) {
    let count = 0
    const tried = await tryEach([ids], {
      act: async (id) => {
        count += 1
        if (fails(id)) throw outage
        return id
      },
    })
    t.equal(count, tries, title)
    t.strictSame(
      tried,
      ids.map((id) => (fails(id) ? { id, problem: outage } : { id, result: id })),
    )
    t.equal(exitCodeOfAll(tried), 5)
  }
})

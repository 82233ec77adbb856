import t from 'tap'
import { parseRequestedScopes, type Scope } from '../../../src/domain/oauth/scope.ts'

const granted: readonly Scope[] = ['projects:read', 'cooperatives:read']

const accepted: readonly [title: string, requested: string | undefined, expected: string[]][] = [
  [
    'no requested scope means all granted scopes',
    undefined,
    ['cooperatives:read', 'projects:read'],
  ],
  ['a blank text means no requested scope', ' ', ['cooperatives:read', 'projects:read']],
  ['one of the granted scopes', 'projects:read', ['projects:read']],
  ['a repeated scope counts once', 'projects:read projects:read', ['projects:read']],
  [
    'any order becomes the order of the specification',
    'projects:read cooperatives:read',
    ['cooperatives:read', 'projects:read'],
  ],
]

for (const [title, requested, expected] of accepted) {
  t.test(title, async (t) => {
    t.strictSame(parseRequestedScopes(requested, granted), expected)
  })
}

const refused: readonly [title: string, requested: string, named: string][] = [
  ['a scope that is not granted', 'projects:read investors:read', 'investors:read'],
  ['a scope that does not exist', 'admin', 'admin'],
  ['characters that an error_description may not contain are replaced', 'a"b\\cé', 'a?b?c?'],
  ['a very long scope is shortened', 'x'.repeat(5000), 'x'.repeat(100)],
]

for (const [title, requested, named] of refused) {
  t.test(`a scope request is refused: ${title}`, async (t) => {
    t.throws(() => parseRequestedScopes(requested, granted), {
      code: 'invalid_scope',
      message: `The scope ${named} is not granted to this client. Granted scopes: cooperatives:read projects:read.`,
    })
  })
}

t.test('a refusal names each refused scope once, up to ten', async (t) => {
  const many = Array.from({ length: 12 }, (_, number) => `x${number}`)
  for (const [requested, named] of [
    ['investors:read projects:read admin admin', 'investors:read admin'],
    [many.join(' '), many.slice(0, 10).join(' ')],
  ] as const) {
    t.throws(() => parseRequestedScopes(requested, granted), {
      message: `The scopes ${named} are not granted to this client. Granted scopes: cooperatives:read projects:read.`,
    })
  }
})

import t from 'tap'
import { parseRequestedScopes, type Scope } from '../../../src/domain/oauth/scope.ts'

const granted: readonly Scope[] = ['projects:read', 'cooperatives:read']

const accepted: readonly [title: string, requested: string | undefined, expected: string[]][] = [
  ['nothing asked for is all that is granted', undefined, ['cooperatives:read', 'projects:read']],
  ['blank is nothing asked for', ' ', ['cooperatives:read', 'projects:read']],
  ['one of them', 'projects:read', ['projects:read']],
  ['twice the same is once', 'projects:read projects:read', ['projects:read']],
  [
    'any order becomes the one of the specification',
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
  ['one that is not granted', 'projects:read investors:read', 'investors:read'],
  ['one that does not exist', 'admin', 'admin'],
  ['what may not stand in an error_description is replaced', 'a"b\\cé', 'a?b?c?'],
  ['a very long one is cut', 'x'.repeat(5000), 'x'.repeat(100)],
]

for (const [title, requested, named] of refused) {
  t.test(`a scope request is refused: ${title}`, async (t) => {
    t.throws(() => parseRequestedScopes(requested, granted), {
      code: 'invalid_scope',
      message: `The scope ${named} is not granted to this client. Granted scopes: cooperatives:read projects:read.`,
    })
  })
}

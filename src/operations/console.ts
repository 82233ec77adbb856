import { object } from 'superstruct'
import { type CreatedLink, createSignInLink } from '../usecases/operators/sign-in-links.ts'
import { instant, text, view } from '../wire/view.ts'
import { operation } from './operation.ts'

const signInLink = view<CreatedLink>()('Sign-in link', {
  path: text('Path at this operator endpoint that signs you in.', (it) => it.path),
  expires_at: instant('Time when the link expires.', (it) => it.expiresAt),
})

export const consoleOperations = {
  'console.create_link': operation({
    role: 'viewer',
    isNoted: true,
    summary: 'Create a link that signs you in to the console once, within a minute.',
    note: 'The link works on this instance only, and until the first browser opens it.',
    input: object({}),
    answer: signInLink,
    run: createSignInLink,
  }),
}

import { object } from 'superstruct'
import { issueTestToken } from '../usecases/oauth/issue-test-token.ts'
import { operation } from './operation.ts'
import { renderAccessToken } from './shapes/render-access-token.ts'
import { text } from './shapes/text.ts'

export const tokenOperations = {
  'token.issue': operation({
    input: object({ client_id: text() }),
    run: async (service, { client_id }) =>
      renderAccessToken(await issueTestToken(service, client_id)),
  }),
}

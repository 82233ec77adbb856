import type { H3Event, H3Plugin } from 'h3'
import { keySetMaxAgeSeconds } from '../domain/oauth/signing-key.ts'
import { renderAccessToken } from '../operations/shapes/render-access-token.ts'
import { authenticateClient } from '../usecases/oauth/authenticate-client.ts'
import { grantToken } from '../usecases/oauth/grant-token.ts'
import { listPublishedKeys } from '../usecases/oauth/list-published-keys.ts'
import type { Service } from '../usecases/service.ts'
import { readClientCredentials } from './client-credentials.ts'
import { readForm } from './read-form.ts'
import { renderDiscovery, renderKeySet, tokenPath } from './shapes/oauth.ts'
import { TokenLimit, type TokenLimitOptions } from './token-limit.ts'

export function oauthRoutes(service: Service, options: TokenLimitOptions): H3Plugin {
  const limit = new TokenLimit(service.clock, options)
  const keySet = async (event: H3Event) => {
    event.res.headers.set('cache-control', `public, max-age=${keySetMaxAgeSeconds}`)
    return renderKeySet(await listPublishedKeys(service))
  }
  return (app) => {
    app.post(tokenPath, async (event) => {
      limit.drawForAddress(event)
      const form = await readForm(event)
      const client = await authenticateClient(service, readClientCredentials(event, form))
      const { clientId, organizationId } = client
      event.context.caller = { clientId, organizationId }
      limit.drawForClient(event, client.clientId)
      const [grantType, scope] = [form.get('grant_type'), form.get('scope')]
      const token = await grantToken(service, { client, grantType, scope })
      event.res.headers.set('pragma', 'no-cache')
      return renderAccessToken(token)
    })
    app.get('/.well-known/jwks.json', keySet)
    app.get('/oauth2/jwks', keySet)
    app.get('/.well-known/oauth-authorization-server', (event) => {
      event.res.headers.set('cache-control', `public, max-age=${keySetMaxAgeSeconds}`)
      return renderDiscovery(service.settings.baseUrl)
    })
  }
}

import { documents, latestVersion } from './documents.ts'
import { sandboxResponses, sandboxSchemas } from './sandbox-components.ts'
import { sandboxPaths } from './sandbox-operations.ts'

const description = `
A staging service is a sandbox: nobody decides your test orders unless you ask for it. If the operator allows it for your
organization (\`coopshare organization update --self-service\`), you decide your own orders, end your access tokens, and
see and replay your own events. You use the access token that you have, with any scopes.

These paths exist in staging only: production answers 404. They are not part of the contract of the partner API, so do not
call them from code that also runs in production.

Tokens, limits, headers and errors are those of the partner API, which \`/openapi.json\` describes. Another organization's
orders and events are 404, like those that do not exist.
`

type Node = Readonly<Record<string, unknown>>
type Components = Readonly<Record<string, Readonly<Record<string, Node>>>>

interface Contract {
  readonly servers: readonly unknown[]
  readonly components: Components
}

/** OpenAPI of the paths below `/sandbox`. What they have in common with the contract comes from there. */
export function sandboxDocument() {
  const contract: Contract = JSON.parse(documents[`${latestVersion}.json`])
  const known = withOwn(contract.components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox of the Partner Investing API',
      version: latestVersion,
      summary: 'Decide your own orders and replay your own events in staging.',
      license: { name: 'MIT', identifier: 'MIT' },
      description: description.trim(),
    },
    servers: contract.servers,
    tags: [
      { name: 'Orders', description: 'What the operator and the bank do with your orders.' },
      { name: 'Tokens', description: 'The access tokens of your clients.' },
      { name: 'Events', description: 'Your events on their way to your webhook endpoints.' },
      { name: 'Document', description: 'The description of these paths.' },
    ],
    paths: sandboxPaths,
    components: {
      securitySchemes: { oauth2: known['securitySchemes']?.['oauth2'] },
      ...neededBy(sandboxPaths, known),
    },
  }
}

function withOwn(components: Components): Components {
  const { ProblemCode: code = {}, ...schemas } = components['schemas'] ?? {}
  const codes = [code['x-extensible-enum'] ?? [], 'EVENT_NOT_FOUND'].flat()
  const ProblemCode = { ...code, 'x-extensible-enum': codes }
  return {
    ...components,
    responses: { ...components['responses'], ...sandboxResponses },
    schemas: { ...schemas, ...sandboxSchemas, ProblemCode },
  }
}

/** The components that a part of the document refers to, directly or through others. */
function neededBy(part: unknown, known: Components): Components {
  const needed: Record<string, Record<string, Node>> = {}
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') add(String(value))
      else visit(value)
    }
  }
  const add = (ref: string): void => {
    const [, , kind = '', name = ''] = ref.split('/')
    const found = known[kind]?.[name]
    if (!found || needed[kind]?.[name]) return
    needed[kind] = { ...needed[kind], [name]: found }
    visit(found)
  }
  visit(part)
  return needed
}

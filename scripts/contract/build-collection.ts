import { promisify } from 'node:util'
import converter from 'openapi-to-postmanv2'
import { arrangeItem } from './arrange-item.ts'
import { fetchToken, trimBaseUrl, variables } from './collection-scripts.ts'
import { folders, type Step } from './collection-steps.ts'
import { type Folder, type Item, type Request, scriptOn } from './postman.ts'

type Content = Readonly<Record<string, { readonly examples?: unknown }>>

export interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const options = {
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  // Fields without an example stay empty, because invented values would differ in each run.
  schemaFaker: false,
  includeAuthInfoInExample: false,
}

/**
 * Builds a Postman collection v2.1 that requests its own token and passes ids from request to
 * request.
 */
export async function buildCollection(document: Document): Promise<unknown> {
  requireSteps(document)
  const items = await convert(document)
  const itemOf = (step: Step, isNeeded: boolean) => {
    const { operation, address } = findOperation(document, step)
    const item = items.find(({ request }) => addressOf(request) === address)
    if (!item) throw new Error(`The converter left out ${address}.`)
    return arrangeItem(item, { step, operation, isNeeded })
  }
  return {
    info: {
      name: `${document.info.title} ${document.info.version}`,
      description:
        'Set baseUrl, clientId and clientSecret of a client with all scopes, either here or in an environment. Then run the collection from top to bottom. It requests its own token and places an order. If a response does not contain what the next request needs, the run stops. The values here are those of the demo data.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [scriptOn('prerequest', [...trimBaseUrl, ...fetchToken])],
    variable: Object.entries({ ...variables, version: document.info.version }).map(
      ([key, value]) => ({ key, value }),
    ),
    item: folders.map(({ steps, isChain, ...folder }) => ({
      ...folder,
      item: steps.map((step) => itemOf(step, isChain)),
    })),
  }
}

/** Without this check, a new operation would be missing from the collection silently. */
function requireSteps({ paths }: Document): void {
  const known = new Set(folders.flatMap(({ steps }) => steps.map((step) => step.operationId)))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const { operationId } of operations) {
    if (operationId !== undefined && !known.has(operationId)) {
      throw new Error(`No step of the collection asks for ${operationId}: collection-steps.ts.`)
    }
  }
}

async function convert(document: Document): Promise<Item[]> {
  const run = promisify(converter.convertV2.bind(converter))
  const { result, reason, output } = await run({ type: 'json', data: document }, options)
  if (!result) throw new Error(`The contract has no collection: ${reason}`)
  return itemsIn(output[0].data)
}

function itemsIn(folder: Folder): Item[] {
  return folder.item.flatMap((one) => ('request' in one ? [one] : itemsIn(one)))
}

function findOperation({ paths }: Document, { operationId }: Step) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue
      return { operation, address: `${method.toUpperCase()} ${pathInCollection(path)}` }
    }
  }
  throw new Error(`The contract has no operation ${operationId}.`)
}

/** `:id` is a whole segment, `{{version}}` a part of one. */
function pathInCollection(path: string): string {
  return path.replaceAll(/\/\{(\w+)\}(?=\/|$)/g, '/:$1').replaceAll(/\{(\w+)\}/g, '{{$1}}')
}

function addressOf({ method, url }: Request): string {
  return `${method} /${url.path.join('/')}`
}

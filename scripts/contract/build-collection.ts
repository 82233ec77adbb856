import { promisify } from 'node:util'
import converter from 'openapi-to-postmanv2'
import { arrangeItem } from './arrange-item.ts'
import { fetchToken, folders, type Step, variables } from './collection-steps.ts'
import { type Folder, type Item, type Request, scriptOn } from './postman.ts'

export interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>
}

interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const options = {
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  // What has no example stays empty: invented values would be others in each run.
  schemaFaker: false,
  includeAuthInfoInExample: false,
}

/** A Postman collection v2.1 that gets its token itself and passes ids from request to request. */
export async function buildCollection(document: Document): Promise<unknown> {
  const items = await convert(document)
  const itemOf = (step: Step) => {
    const { operation, address } = findOperation(document, step)
    const item = items.find(({ request }) => addressOf(request) === address)
    if (!item) throw new Error(`The converter left out ${address}.`)
    return arrangeItem(item, { step, operation })
  }
  return {
    info: {
      name: `${document.info.title} ${document.info.version}`,
      description:
        'Set baseUrl, clientId and clientSecret, and run it from top to bottom: each request passes on what the next ones need. The values are those of the demo data.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [scriptOn('prerequest', fetchToken)],
    variable: Object.entries({ ...variables, version: document.info.version }).map(
      ([key, value]) => ({ key, value }),
    ),
    item: folders.map(({ name, steps }) => ({ name, item: steps.map(itemOf) })),
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

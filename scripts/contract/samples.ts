import { parseDocument, type Document as YamlDocument } from 'yaml'
import { type Document, type SampleRequest, sampleRequest } from './sample-requests.ts'

/** Adds a sample of the call to each operation in the text of a contract. */
export function withSamples(text: string): string {
  const document: YamlDocument = parseDocument(text)
  const contract: Document = document.toJS()
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of Object.keys(item)) {
      if (method === 'parameters') continue
      const samples = renderSamples(sampleRequest(contract, { path, method }))
      document.setIn(['paths', path, method, 'x-codeSamples'], document.createNode(samples))
    }
  }
  return document.toString({ lineWidth: 0 })
}

/** An item of `x-codeSamples`, which the reference page shows beside an operation. */
interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

function renderSamples(request: SampleRequest): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: renderCurl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: renderTypeScript(request) },
    { lang: 'Python', label: 'Python', source: renderPython(request) },
    { lang: 'Java', label: 'Java', source: renderJava(request) },
  ]
}

function scopeLines(comment: string, { scopes }: SampleRequest): string[] {
  if (scopes.length === 0) return []
  return [`${comment} Required scope${scopes.length > 1 ? 's' : ''}: ${scopes.join(', ')}`]
}

function isPlainGet({ method, authentication }: SampleRequest): boolean {
  return method === 'GET' && authentication === 'none'
}

function renderCurl(request: SampleRequest): string {
  const { method, url, authentication, headers, json, form, answer } = request
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const options = [
    ...(method === 'PUT' || (method === 'POST' && !json && !form) ? [`--request ${method}`] : []),
    ...(authentication === 'bearer' ? ['--header "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(authentication === 'basic' ? ['--user "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(json ? ["--header 'Content-Type: application/json'"] : []),
    ...(json ? [`--data ${quoted(JSON.stringify(json, null, 2))}`] : []),
    ...Object.entries(form ?? {}).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
    ),
    ...(answer === 'bytes' ? ['--output image'] : []),
  ]
  const command = [`curl --fail-with-body ${quoted(url)}`, ...options].join(' \\\n  ')
  return lines(...scopeLines('#', request), command)
}

function renderTypeScript(request: SampleRequest): string {
  const answers = {
    json: 'console.log(await response.json())',
    text: 'console.log(await response.text())',
    bytes: "console.log((await response.arrayBuffer()).byteLength, 'bytes')",
  }
  return lines(
    ...scopeLines('//', request),
    ...typeScriptCall(request),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the sample.
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)',
    answers[request.answer],
  )
}

function typeScriptCall(request: SampleRequest): string[] {
  const { method, url, headers, json, form } = request
  if (isPlainGet(request)) return [`const response = await fetch('${url}')`]
  const fields = [
    ...typeScriptCredentials(request),
    ...Object.entries(headers).map(([name, value]) => `'${name}': '${value}',`),
    ...(json ? ["'Content-Type': 'application/json',"] : []),
  ]
  const body = json
    ? `JSON.stringify(${literalIn.typeScript(json)})`
    : form && `new URLSearchParams(${literalIn.typeScript(form)})`
  return [
    `const response = await fetch('${url}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...fields.map((field) => `    ${field}`),
    '  },',
    ...(body ? [`  body: ${indented(body, '  ')},`] : []),
    '})',
  ]
}

function typeScriptCredentials({ authentication }: SampleRequest): string[] {
  const credentials = {
    none: [],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the sample.
    bearer: ['Authorization: `Bearer ${process.env.ACCESS_TOKEN}`,'],
    basic: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the sample.
      'Authorization: `Basic ${btoa(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`)}`,',
    ],
  }
  return credentials[authentication]
}

function renderPython(request: SampleRequest): string {
  const { method, url, authentication, answer } = request
  const answers = {
    json: 'print(response.json())',
    text: 'print(response.text)',
    bytes: 'print(len(response.content), "bytes")',
  }
  const options = [`"${url}",`, ...pythonOptions(request), 'timeout=10,']
  return lines(
    ...scopeLines('#', request),
    ...(authentication === 'none' ? [] : ['import os', '']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...options.map((option) => `    ${indented(option, '    ')}`),
    ')',
    'response.raise_for_status()',
    answers[answer],
  )
}

function pythonOptions({ authentication, headers, json, form }: SampleRequest): string[] {
  const token = `f"Bearer {os.environ['ACCESS_TOKEN']}"`
  const fields = [
    ...(authentication === 'bearer' ? [`"Authorization": ${token},`] : []),
    ...Object.entries(headers).map(([name, value]) => `"${name}": "${value}",`),
  ]
  return [
    ...(authentication === 'basic'
      ? ['auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),']
      : []),
    ...(fields.length > 0
      ? [`headers={\n${fields.map((field) => `    ${field}\n`).join('')}},`]
      : []),
    ...(json ? [`json=${literalIn.python(json)},`] : []),
    ...(form ? [`data=${literalIn.python(form)},`] : []),
  ]
}

function renderJava(request: SampleRequest): string {
  const { operationId, answer } = request
  const [type, handler, shown] =
    answer === 'bytes'
      ? ['byte[]', 'ofByteArray', 'response.body().length + " bytes"']
      : ['String', 'ofString', 'response.body()']
  const refused = answer === 'bytes' ? '"Status: " + response.statusCode()' : 'response.body()'
  const statements = [
    ...javaBody(request),
    ...javaCredentials(request),
    ...javaRequest(request),
    `HttpResponse<${type}> response =`,
    `    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.${handler}());`,
    `if (response.statusCode() >= 400) throw new IllegalStateException(${refused});`,
    `System.out.println(${shown});`,
  ]
  return lines(
    ...scopeLines('//', request),
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(request.authentication === 'basic' ? ['import java.util.Base64;'] : []),
    '',
    `public class ${operationId.charAt(0).toUpperCase()}${operationId.slice(1)} {`,
    '  public static void main(String[] args) throws Exception {',
    ...statements.map((statement) => `    ${indented(statement, '    ')}`),
    '  }',
    '}',
  )
}

function javaBody({ json, form }: SampleRequest): string[] {
  if (form) return [`String body = "${new URLSearchParams(form)}";`]
  if (!json) return []
  const text = JSON.stringify(json, null, 2).replaceAll('\\', '\\\\')
  return [`String body = """\n    ${indented(text, '    ')}""";`]
}

function javaCredentials({ authentication }: SampleRequest): string[] {
  if (authentication !== 'basic') return []
  return [
    'String credentials = System.getenv("CLIENT_ID") + ":" + System.getenv("CLIENT_SECRET");',
    'String basic = Base64.getEncoder().encodeToString(credentials.getBytes());',
  ]
}

function javaRequest({ method, url, authentication, headers, json, form }: SampleRequest) {
  const header = (name: string, value: string) => `    .header("${name}", ${value})`
  const mediaType = json ? 'application/json' : 'application/x-www-form-urlencoded'
  const hasBody = json !== undefined || form !== undefined
  const publisher = hasBody ? 'ofString(body)' : 'noBody()'
  return [
    'HttpRequest request = HttpRequest.newBuilder()',
    `    .uri(URI.create("${url}"))`,
    ...(authentication === 'bearer'
      ? [header('Authorization', '"Bearer " + System.getenv("ACCESS_TOKEN")')]
      : []),
    ...(authentication === 'basic' ? [header('Authorization', '"Basic " + basic')] : []),
    ...Object.entries(headers).map(([name, value]) => header(name, `"${value}"`)),
    ...(hasBody ? [header('Content-Type', `"${mediaType}"`)] : []),
    method === 'GET' ? '    .GET()' : `    .${method}(HttpRequest.BodyPublishers.${publisher})`,
    '    .build();',
  ]
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}

interface Style {
  readonly indent: string
  readonly nothing: string
  readonly yes: string
  readonly no: string
  readonly text: (value: string) => string
  readonly key: (name: string) => string
}

const singleQuoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const doubleQuoted = (text: string) => JSON.stringify(text)

const typeScript: Style = {
  indent: '  ',
  nothing: 'null',
  yes: 'true',
  no: 'false',
  text: singleQuoted,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)),
}

const python: Style = {
  indent: '    ',
  nothing: 'None',
  yes: 'True',
  no: 'False',
  text: doubleQuoted,
  key: doubleQuoted,
}

const literalIn = {
  typeScript: (value: unknown) => render(value, typeScript),
  python: (value: unknown) => render(value, python),
}

function render(value: unknown, style: Style, margin = ''): string {
  if (value === null) return style.nothing
  if (typeof value === 'boolean') return value ? style.yes : style.no
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object') return String(value)
  const inner = margin + style.indent
  const parts = Array.isArray(value)
    ? value.map((part) => render(part, style, inner))
    : Object.entries(value).map(
        ([name, part]) => `${style.key(name)}: ${render(part, style, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${margin}${close}`
}

/** Indents a continued expression, whose first line is already indented. */
function indented(text: string, margin: string): string {
  return text.replaceAll('\n', `\n${margin}`)
}

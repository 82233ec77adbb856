// Shows the document that the page contains.
import 'openapi-explorer/dist/es/openapi-explorer.js'
import resolve from './resolve.js'

const explorer = document.querySelector('openapi-explorer')
const calls = document.getElementById('calls')

const styleInside = `*,:after,:before{box-sizing:border-box}
.m-btn.primary:is(:hover,:focus-visible){color:var(--primary-btn-text-color)}`

async function show() {
  const contract = await resolve(JSON.parse(document.getElementById('contract').textContent))
  const paths = [...Object.values(contract.paths), ...Object.values(contract.webhooks ?? {})]
  for (const path of paths) {
    for (const each of [path, ...Object.values(path)]) {
      // The library knows this extension under its first name.
      each['x-code-samples'] = each['x-codeSamples']
      each.parameters = each.parameters?.map(withStart)
    }
  }
  explorer.hideExecution = calls === null
  // A person may open the page at another of our addresses, and the policy allows calls to that one only.
  if (calls) contract.servers = [{ url: new URL('.', location).href.replace(/\/$/, '') }]
  await explorer.loadSpec(contract)
  await explorer.updateComplete
  explorer.shadowRoot.adoptedStyleSheets.push(sheetFor(explorer.resolvedSpec))
  // Without a mouse, people scroll the text with the keyboard.
  explorer.shadowRoot.querySelector('main').tabIndex = 0
}

/** A call begins with what it needs. The library would begin with all defaults, which do not go together. */
function withStart({ schema, description = '', ...parameter }) {
  const { default: implied, ...others } = schema
  const explained =
    implied === undefined ? description : `${description}\n\nDefault: \`${implied}\``
  const start = parameter.required ? parameter.example : undefined
  return { ...parameter, description: explained, schema: { ...others, default: start } }
}

/** We call webhooks ourselves, so their pages have no button. */
function sheetFor({ tags }) {
  const webhooks = tags.flatMap(({ paths }) => paths).filter(({ isWebhook }) => isWebhook)
  const buttons = webhooks.map(({ elementId }) => `#${CSS.escape(elementId)} .btn-execute`)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`${styleInside}${buttons.map((button) => `${button}{display:none}`).join('')}`)
  return sheet
}

document
  .querySelector('header button')
  .addEventListener('click', () => explorer.onShowSearchModalClicked())
void show()

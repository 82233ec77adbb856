// Gets the token with which the page calls this service: in staging only.
// Secrets and tokens are kept in variables, so they end with the tab.
const explorer = document.querySelector('openapi-explorer')
const { kind, credentials: offered } = JSON.parse(document.getElementById('calls').textContent)

let credentials = offered
/** The time at which the token must be replaced; 0 without a token. */
let freshUntil = 0

// The button is in a component, and a click reaches it only after this listener.
addEventListener('click', prepare, { capture: true })
explorer.addEventListener('response', ({ detail }) => {
  if (detail.response?.status === 401) freshUntil = 0
})

async function prepare(event) {
  const button = event.composedPath().find((each) => each.classList?.contains('btn-execute'))
  if (!button || Date.now() < freshUntil) return
  event.stopImmediatePropagation()
  event.preventDefault()
  if (credentials ? await connect() : await ask()) button.click()
}

/** Each gets a token and returns what is wrong, or undefined. */
const connectors = {
  async client({ client_id, client_secret }) {
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`
    const answer = await fetch('oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(pair)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const body = await answer.json()
    if (!answer.ok) return body.error_description ?? body.detail ?? answer.statusText
    await authorize({
      oauth2: `Bearer ${body.access_token}`,
      clientSecretBasic: `Basic ${btoa(pair)}`,
    })
    freshUntil = Date.now() + 1000 * (body.expires_in - 30)
  },
  async operator({ token }) {
    await authorize({ operatorToken: `Bearer ${token}` })
    freshUntil = Number.POSITIVE_INFINITY
  },
}

/** The library's own method would leave out `Bearer` for OAuth. */
async function authorize(values) {
  for (const scheme of explorer.resolvedSpec.securitySchemes)
    scheme.finalKeyValue = values[scheme.apiKeyId] ?? ''
  explorer.requestUpdate()
  await explorer.updateComplete
}

async function connect() {
  const fault = await connectors[kind](credentials).catch(() => 'The service cannot be reached.')
  if (fault === undefined) return true
  const { client_id } = credentials
  credentials = undefined
  return ask({ fault, client_id })
}

const questions = {
  client: [
    ['client_id', 'Client id', 'text'],
    ['client_secret', 'Client secret', 'password'],
  ],
  operator: [['token', 'Operator token', 'password']],
}

/** Returns whether the page can call now; false if the person closed the question. */
function ask({ fault, client_id = '' } = {}) {
  const dialog = document.createElement('dialog')
  const form = document.createElement('form')
  const heading = make('h2', { id: 'asked', textContent: 'Who calls?' })
  dialog.setAttribute('aria-labelledby', heading.id)
  const explained = 'The page keeps this until you close or reload the tab.'
  const fields = questions[kind].map(([name, label, type]) => {
    const value = name === 'client_id' ? client_id : ''
    const input = make('input', { name, type, value, required: true, autocomplete: 'off' })
    return make('label', {}, label, input)
  })
  const buttons = make('p', {}, make('button', { textContent: 'Call' }))
  const alert = fault ? [make('p', { role: 'alert', textContent: fault })] : []
  form.append(heading, make('p', { textContent: explained }), ...alert, ...fields, buttons)
  dialog.append(form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      credentials = Object.fromEntries(new FormData(form))
      dialog.remove()
      resolve(connect())
    })
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(false)
    })
  })
}

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

// Suggestions below the search box (the pattern "combobox" of WAI-ARIA).
const input = document.getElementById('search')
const list = document.getElementById('suggestions')
const said = document.getElementById('suggestions-said')
if (input && list && said) suggestTo(input, list, said)

function suggestTo(input, list, said) {
  const csrf = document.querySelector('input[name=csrf]')?.value ?? ''
  let timer
  let asking
  let asked = ''
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  input.autocomplete = 'off'

  const options = () => [...list.children]
  const chosen = () => options().findIndex((each) => each.getAttribute('aria-selected') === 'true')

  const show = (isShown) => {
    list.hidden = !isShown
    input.setAttribute('aria-expanded', String(isShown))
    if (!isShown) choose(-1)
  }

  const choose = (at) => {
    for (const [index, each] of options().entries())
      each.setAttribute('aria-selected', String(index === at))
    const option = options()[at]
    if (!option) return input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  const clear = () => {
    clearTimeout(timer)
    asking?.abort()
    asked = ''
    list.replaceChildren()
    said.textContent = ''
    show(false)
  }

  const ask = async (text) => {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    try {
      const body = new URLSearchParams({ csrf, text })
      const answer = await fetch('/suggestions', {
        method: 'POST',
        headers: { accept: 'text/html' },
        body,
        signal,
      })
      if (!answer.ok) return clear()
      // The service has escaped what others wrote.
      const found = await answer.text()
      if (signal.aborted) return
      asked = text
      list.innerHTML = found
      // The last option leads to all results.
      const count = Math.max(0, list.children.length - 1)
      said.textContent =
        count === 0 ? said.dataset.none : `${list.ariaLabel}: ${count}. ${said.dataset.some}`
      show(count > 0 && document.activeElement === input)
    } catch {
      // The next letter asks again.
    }
  }

  input.addEventListener('input', (event) => {
    clearTimeout(timer)
    const text = input.value.trim()
    if (event.isComposing) return
    // Single letters find nothing that is worth a look, apart from letters that are words.
    if (text.length < 2 && !/\p{Script=Han}/u.test(text)) return clear()
    if (text !== asked) timer = setTimeout(() => void ask(text), 200)
  })
  input.addEventListener('focus', () => {
    if (list.children.length > 0 && input.value.trim() === asked) show(true)
  })
  input.addEventListener('blur', () => show(false))
  // Without this, the box would lose the focus, and the list would close before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
    const last = options().length - 1
    const at = chosen()
    if (event.key === 'ArrowDown' && last >= 0) {
      show(true)
      choose(at >= last ? 0 : at + 1)
    } else if (event.key === 'ArrowUp' && last >= 0) {
      show(true)
      choose(at <= 0 ? last : at - 1)
    } else if (event.key === 'Enter' && !list.hidden && at >= 0) {
      options()[at].click()
    } else if (event.key === 'Escape' && !list.hidden) {
      show(false)
    } else return
    event.preventDefault()
  })
}

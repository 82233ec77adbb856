const { copied } = document.body.dataset
// Screen readers read what changes in it.
const said = document.createElement('p')
said.className = 'unseen'
said.id = 'said'
addEventListener('click', async (event) => {
  const button = event.target.closest('button.copy')
  if (!button) return
  if (!said.isConnected) {
    said.setAttribute('role', 'status')
    document.body.append(said)
  }
  await copy(button.dataset.copy)
  const before = button.textContent
  if (before === copied) return
  button.textContent = copied
  said.textContent = copied
  setTimeout(() => {
    button.textContent = before
    said.textContent = ''
  }, 2000)
})

/** Browsers offer their clipboard only over TLS and on the own machine. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

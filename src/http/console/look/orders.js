// The bar says how many orders are selected, and what they cost together. Without this file it stays as it is.
const bar = document.getElementById('selection')
if (bar) {
  const form = bar.closest('form')
  const all = document.getElementById('all')
  const sum = bar.querySelector('.sum')
  const { matching } = form.elements
  const boxes = [...form.querySelectorAll('input[name=id]')]
  const { currency, none, some, every } = bar.dataset
  const { lang } = document.documentElement
  const format = new Intl.NumberFormat(lang, { style: 'currency', currency })

  const describe = () => {
    if (matching.checked) return every
    const chosen = boxes.filter((box) => box.checked)
    if (chosen.length === 0) return none
    // Whole cents, because a sum of floats is not exact.
    const cents = chosen.reduce((all, box) => all + BigInt(box.dataset.total.replace('.', '')), 0n)
    const digits = cents.toString().padStart(3, '0')
    const total = format.format(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
    return some
      .replace('{count}', () => new Intl.NumberFormat(lang).format(chosen.length))
      .replace('{sum}', () => total)
  }

  const show = () => {
    const chosen = boxes.filter((box) => box.checked).length
    const text = describe()
    if (sum.textContent !== text) sum.textContent = text
    for (const box of boxes) box.disabled = matching.checked
    for (const button of bar.querySelectorAll('button')) {
      button.disabled = !matching.checked && chosen === 0
    }
    all.checked = boxes.length > 0 && chosen === boxes.length
    all.indeterminate = chosen > 0 && chosen < boxes.length
    all.disabled = matching.checked
  }

  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
  })
  form.addEventListener('change', show)
  // A browser that goes back restores what was selected.
  addEventListener('pageshow', show)
  show()
}

// Tabs that do not fit a narrow screen scroll, and the tab of the shown list could be out of sight.
const tab = document.querySelector('.tabs [aria-current]')
if (tab) {
  const tabs = tab.closest('ul')
  const center = () => {
    tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2
  }
  addEventListener('resize', center)
  center()
}

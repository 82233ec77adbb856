// One box selects all orders of a page.
const all = document.getElementById('all')
if (all) {
  all.closest('label').hidden = false
  all.addEventListener('change', () => {
    for (const box of document.querySelectorAll('input[name=id]')) box.checked = all.checked
  })
}

const menus = () => document.querySelectorAll('details.actions-menu[open]')
addEventListener('click', (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false
})
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of menus()) {
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
    menu.open = false
  }
})

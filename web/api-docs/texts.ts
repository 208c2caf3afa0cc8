const en = {
  title: 'API',
  skip: 'Skip to the routes',
  site: 'Back to the site',
  about:
    'All routes of this server. “Try it out” sends reading requests only; “Authorize” takes an auth token, which is not stored.',
  document: 'OpenAPI document',
  routes: 'Routes',
  loading: 'Loading the description…',
  failed: 'The description could not be loaded. Reload the page to try again.',
}

const de: typeof en = {
  title: 'API',
  skip: 'Zu den Routen springen',
  site: 'Zurück zur Website',
  about:
    'Alle Routen dieses Servers, auf Englisch. „Try it out“ sendet nur lesende Anfragen; „Authorize“ nimmt ein Auth-Token an, das nicht gespeichert wird.',
  document: 'OpenAPI-Dokument',
  routes: 'Routen',
  loading: 'Die Beschreibung wird geladen …',
  failed:
    'Die Beschreibung konnte nicht geladen werden. Ladet die Seite neu, um es noch einmal zu versuchen.',
}

export function textsOf(language: string): typeof en {
  return language === 'de' ? de : en
}

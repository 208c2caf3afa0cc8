import type { BotApiMessages } from '../en/bot-api.ts'

export const botApi: BotApiMessages = {
  options: {
    timeoutMilliseconds: 'Zeitlimit des Handlers. Erforderlich.',
    inputs: 'Eingaben der Teams. Jede muss zu ihrem Muster passen. Erforderlich.',
    handler: 'Führt den Besuch aus. Erforderlich.',
    browser: 'Worker ohne diesen Browser lehnen den Code ab. Standard: chrome.',
    browserVersion: 'Nur stable wird unterstützt.',
    browserArguments: 'Ersetzt die Standardargumente (kein JIT, kein WebAssembly, 512 MiB Heap).',
    extraPrefsFirefox: 'Ersetzt die Standardeinstellungen (kein JIT, kein WebAssembly).',
    launchOptionsExtra:
      'Weitere Startoptionen von Playwright. Programm, Proxy, Umgebung und Sandbox legt der Worker fest.',
    maxLogLines: 'Anzahl der aufbewahrten Protokollzeilen, neueste zuerst. Standard: 64.',
    maxLogValueChars: 'Maximale Länge einer Protokollzeile. Standard: 2048.',
    restrictDomains: 'Schränkt ein, welche Adressen der Besuch öffnen kann.',
    requireInstancerInstancesRunning:
      'Die Instanz des Teams muss das ganze Zeitlimit über laufen. Füllt job.instancerInstances.',
    hooksConfig: 'Welche Browserereignisse das Team sieht und wie Dialoge und Tabs behandelt werden.',
  },
  input: {
    pattern: 'Passt auf eine beliebige Stelle der Eingabe (bis zu 1024 Zeichen).',
    flags: 'Flags des regulären Ausdrucks.',
  },
  hooks: {
    showConsoleLogs: 'Zeigt die Konsolenausgabe. Eine Seite kann dort ihre Cookies ausgeben.',
    showBrowserErrors: 'Zeigt Skriptfehler, fehlgeschlagene Anfragen und abgestürzte Seiten.',
    showNavigation: 'Zeigt Navigationen.',
    showDialogs: 'Zeigt den Text von Alerts und anderen Dialogen.',
    autoDismissDialogs: 'Schließt Dialoge sofort. Sonst nur, wenn der Handler nicht auf sie reagiert.',
    limitTabsNumber: 'Maximale Anzahl der Tabs; weitere werden beim Öffnen geschlossen. -1: kein Limit.',
    limitTabsNumberShowError: 'Zeigt dem Team, wenn das Limit einen Tab schließt.',
  },
  domains: {
    host: 'Regeln für Hosts, zuerst geprüft.',
    url: 'Regeln für URLs. Bei HTTPS-Anfragen ist nur https://host:port/ bekannt.',
  },
  rules: {
    allowRegex: 'Ein Treffer erlaubt den Besuch.',
    disallowRegex: 'Ein Treffer blockiert den Besuch. Wird nach den Erlaubnisregeln geprüft.',
  },
  visit: {
    browserContext: 'Ein neuer Playwright-Browserkontext ohne Cookies, Speicher und Tabs.',
    input: 'Die Eingaben des Teams nach Namen.',
    job: 'Aufgabe, Team und Flags dieses Besuchs.',
    output: 'Schreibt Protokollzeilen, die das Team sieht.',
    logger: 'Schreibt Protokollzeilen, die nur Betreiber sehen.',
  },
  job: {
    challengeId: 'Die ID der Aufgabe.',
    configRevision: 'Die Version des laufenden Codes.',
    userId: 'Die ID des Teams.',
    submittedAt: 'Zeitpunkt der Einreichung (ISO 8601).',
    flag: 'Die erste Flag oder ein leerer String.',
    flags: 'Alle Flags für dieses Team.',
    instancerInstances: 'Die laufenden Instanzen des Teams. Benötigt requireInstancerInstancesRunning.',
  },
  instance: {
    type: 'Protokoll des Endpunkts.',
    host: 'Hostname.',
    port: 'Portnummer.',
    title: 'Titel des Ports, falls gesetzt.',
  },
  output: {
    info: 'Protokolliert eine Meldung für das Team.',
    warn: 'Protokolliert eine Warnung für das Team.',
    error: 'Protokolliert einen Fehler für das Team.',
    fatal: 'Protokolliert für das Team den Fehler, der den Besuch beendet hat.',
  },
  logger: {
    info: 'Protokolliert eine Meldung für Betreiber.',
    warn: 'Protokolliert eine Warnung für Betreiber.',
    error: 'Protokolliert einen Fehler für Betreiber.',
  },
  browserContext: {
    newPage: 'Öffnet einen Tab.',
    addCookies: 'Setzt Cookies mit name, value und entweder url oder domain und path.',
    addInitScript: 'Läuft in jeder Seite vor deren Skripten.',
    clearCookies: 'Entfernt alle Cookies.',
    route: 'Fängt Anfragen ab.',
  },
  page: {
    goto: 'Öffnet eine URL und wartet, bis sie geladen ist.',
    waitForTimeout: 'Wartet eine Anzahl Millisekunden.',
    waitForSelector: 'Wartet, bis ein Element erscheint.',
    locator: 'Findet Elemente für Aktionen.',
    fill: 'Füllt ein Feld aus.',
    click: 'Klickt ein Element an.',
    evaluate: 'Führt ein Skript in der Seite aus.',
    on: 'Reagiert auf Ereignisse der Seite, etwa Dialoge.',
    url: 'Die aktuelle URL der Seite.',
    close: 'Schließt den Tab.',
  },
}

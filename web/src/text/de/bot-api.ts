import type { BotApiWords } from '../en/bot-api.ts'

export const botApi: BotApiWords = {
  options: {
    timeoutMilliseconds: 'Die Grenze des Handlers; nötig.',
    inputs: 'Was ein Team sendet, je ein Text, in dem das Muster vorkommt; nötig.',
    handler: 'Der Besuch; nötig.',
    browser: 'Ein Worker ohne ihn lehnt den Code ab. Vorgabe: chrome.',
    browserVersion: 'Nur stable.',
    browserArguments: 'Statt der üblichen Argumente: keine Compiler, 512 MiB Heap.',
    extraPrefsFirefox: 'Statt der üblichen Einstellungen: keine Compiler.',
    launchOptionsExtra:
      'Weitere Startoptionen von Playwright; Programm, Proxy, Umgebung und Sandbox bleiben die des Workers.',
    maxLogLines: 'Neueste Zeilen, die bleiben, 64.',
    maxLogValueChars: 'Wo Texte von Zeilen enden, 2048.',
    restrictDomains: 'Grenzt ein, wohin der Besuch darf.',
    requireInstancerInstancesRunning:
      'Die Instanz des Teams muss die ganze Grenze lang laufen; füllt job.instancerInstances.',
    hooksConfig: 'Was das Team vom Browser sieht, und was mit Dialogen und Tabs geschieht.',
  },
  input: {
    pattern: 'Wird überall in einem Text von bis zu 1024 Zeichen gesucht.',
    flags: 'Schalter des Musters.',
  },
  hooks: {
    showConsoleLogs: 'Was Seiten in ihre Konsole schreiben. Eine Seite kann ihre Cookies dorthin schreiben.',
    showBrowserErrors: 'Fehler von Skripten, gescheiterte Anfragen, abgestürzte Seiten.',
    showNavigation: 'Wohin Tabs gehen.',
    showDialogs: 'Texte von Meldungen und Ähnlichem.',
    autoDismissDialogs:
      'Schließt sie sofort. Sonst werden sie geschlossen, wenn der Handler nicht auf sie hört.',
    limitTabsNumber: 'Weitere Tabs werden beim Öffnen geschlossen; -1: keine Grenze.',
    limitTabsNumberShowError: 'Ob das Team von einem geschlossenen Tab erfährt.',
  },
  domains: {
    host: 'Regeln für Hosts, zuerst gefragt.',
    url: 'Regeln für Adressen; von verschlüsselten Anfragen ist nur https://host:port/ bekannt.',
  },
  rules: {
    allowRegex: 'Kommt eines vor, darf der Besuch dorthin.',
    disallowRegex: 'Kommt eines vor, darf er nicht; nach den erlaubenden gefragt.',
  },
  visit: {
    browserContext: 'Von Playwright, frisch: ohne Cookies, Speicher und Tabs.',
    input: 'Was das Team gesendet hat, nach Namen.',
    job: 'Was für wen besucht wird, mit der Flag.',
    output: 'Zeilen für das Team.',
    logger: 'Zeilen nur für Betreiber.',
  },
  job: {
    challengeId: 'Die Id der Aufgabe.',
    configRevision: 'Welche Fassung des Codes läuft.',
    userId: 'Die Id des Teams.',
    submittedAt: 'Wann gesendet wurde, ISO 8601.',
    flag: 'Die erste der Flags, leer, wenn es keine gibt.',
    flags: 'Alle Flags, die für dieses Team einen Wert haben.',
    instancerInstances: 'Gefüllt, wenn die Aufgabe eine laufende Instanz verlangt.',
  },
  instance: {
    type: 'Wie sie erreicht wird.',
    host: 'Ihr Host.',
    port: 'Ihr Port.',
    title: 'Der Name des Ports, wo er einen hat.',
  },
  output: {
    info: 'Eine Zeile für das Team.',
    warn: 'Eine Warnung für das Team.',
    error: 'Ein Fehler für das Team.',
    fatal: 'Der Fehler, der den Besuch beendete, für das Team.',
  },
  logger: {
    info: 'Eine Zeile für Betreiber.',
    warn: 'Eine Warnung für Betreiber.',
    error: 'Ein Fehler für Betreiber.',
  },
  browserContext: {
    newPage: 'Öffnet einen Tab.',
    addCookies: 'Setzt Cookies, je mit name, value und url oder domain und path.',
    addInitScript: 'Läuft in jeder Seite vor deren Skripten.',
    clearCookies: 'Entfernt alle Cookies.',
    route: 'Beantwortet oder ändert Anfragen.',
  },
  page: {
    goto: 'Öffnet eine Adresse und wartet, bis sie geladen ist.',
    waitForTimeout: 'Bleibt eine Weile auf der Seite.',
    waitForSelector: 'Wartet, bis ein Element da ist.',
    locator: 'Elemente, mit denen etwas geschieht.',
    fill: 'Schreibt einen Text in ein Feld.',
    click: 'Drückt ein Element.',
    evaluate: 'Lässt ein Skript in der Seite laufen.',
    on: 'Hört auf die Seite, etwa auf Dialoge.',
    url: 'Die jetzige Adresse der Seite.',
    close: 'Schließt den Tab.',
  },
}

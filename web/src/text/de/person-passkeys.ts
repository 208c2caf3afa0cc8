import type { PersonPasskeyMessages } from '../en/person-passkeys.ts'

export const personPasskeys: PersonPasskeyMessages = {
  signIn: 'Mit Passkey anmelden',
  title: 'Passkeys',
  about:
    'Melde dich mit Fingerabdruck, Gesicht oder PIN eines Geräts an, oder mit einem Sicherheitsschlüssel. Nichts zu tippen, nichts zu verraten.',
  none: 'Noch keine Passkeys.',
  unsupported: 'Dieser Browser hat keine Passkeys für diese Seite.',
  name: 'Name des Passkeys',
  nameHelp: 'Damit du ihn wiedererkennst, etwa „Laptop Arbeit“. Höchstens 64 Zeichen.',
  badName: 'Verwende 1 bis 64 druckbare Zeichen.',
  add: 'Passkey hinzufügen',
  added: 'Passkey hinzugefügt.',
  rename: 'Umbenennen',
  renameOf: (name) => `${name} umbenennen`,
  renamed: 'Passkey umbenannt.',
  saveName: 'Namen speichern',
  remove: 'Entfernen',
  removed: 'Passkey entfernt.',
  addedAgo: (ago) => `Hinzugefügt ${ago}`,
  usedAgo: (ago) => `zuletzt verwendet ${ago}`,
  neverUsed: 'nie verwendet',
  failures: {
    passkeyCancelled: 'Es wurde kein Passkey verwendet. Versuche es noch einmal, oder melde dich anders an.',
    passkeyPresent: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
    passkeyFailed: 'Der Browser konnte hier keinen Passkey verwenden. Nimm einen anderen Browser oder Weg.',
    badPasskeyResponse:
      'Der Passkey wurde nicht angenommen. Vielleicht wurde er entfernt, oder es hat zu lange gedauert. Versuche es noch einmal.',
    badPasskey: 'Dieser Passkey wurde schon entfernt.',
    badKnownPasskey: 'Dieser Passkey wurde schon hinzugefügt.',
    badPasskeyCount: 'Du hast so viele Passkeys wie möglich. Entferne zuerst einen.',
    badLastWay: 'Das ist dein einziger Weg, dich anzumelden. Füge zuerst einen anderen hinzu.',
  },
}

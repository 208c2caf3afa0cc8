import { emptyDraft, type Draft } from './draft.ts'

export const kinds = ['blank', 'rules', 'privacy', 'faq', 'prizes', 'imprint'] as const
export type PageKind = (typeof kinds)[number]

interface Outline {
  readonly title: string
  readonly headings: readonly string[]
}

/** Headings to fill in. Organisers edit what they get, so it is not in the language of the site alone. */
const OUTLINES: Readonly<Record<Exclude<PageKind, 'blank'>, readonly [en: Outline, de: Outline]>> = {
  rules: [
    {
      title: 'Rules',
      headings: ['Who may take part', 'Teams', 'What is not allowed', 'Scoring', 'Questions and decisions'],
    },
    {
      title: 'Regeln',
      headings: [
        'Wer teilnehmen darf',
        'Teams',
        'Was nicht erlaubt ist',
        'Wertung',
        'Fragen und Entscheidungen',
      ],
    },
  ],
  privacy: [
    {
      title: 'Privacy',
      headings: ['Who is responsible', 'What we store', 'How long', 'Who gets it', 'Your rights'],
    },
    {
      title: 'Datenschutz',
      headings: ['Verantwortlich', 'Was wir speichern', 'Wie lange', 'Wer es bekommt', 'Eure Rechte'],
    },
  ],
  faq: [
    {
      title: 'FAQ',
      headings: ['How do I take part?', 'What does a flag look like?', 'Where can I ask questions?'],
    },
    {
      title: 'Häufige Fragen',
      headings: ['Wie nehme ich teil?', 'Wie sieht eine Flag aus?', 'Wo kann ich Fragen stellen?'],
    },
  ],
  prizes: [
    { title: 'Prizes', headings: ['Places', 'Who can win', 'How prizes are handed over'] },
    { title: 'Preise', headings: ['Plätze', 'Wer gewinnen kann', 'Übergabe der Preise'] },
  ],
  imprint: [
    { title: 'Imprint', headings: ['Organiser', 'Contact'] },
    { title: 'Impressum', headings: ['Veranstalter', 'Kontakt'] },
  ],
}

/** What a new page of a kind begins with. */
export function draftFor(kind: PageKind): Draft {
  if (kind === 'blank') return emptyDraft
  const texts = OUTLINES[kind].map(({ title, headings }, at) => ({
    language: at === 0 ? 'en' : 'de',
    title,
    content: headings.map((heading) => `## ${heading}\n\n`).join('\n'),
  }))
  return { ...emptyDraft, slug: kind, texts }
}

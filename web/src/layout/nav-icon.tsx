const PATHS = {
  home: 'M2.5 7.5 8 2.8l5.5 4.7V13.2h-4V9.5h-3v3.7h-4Z',
  challenges: 'M3.5 1.8v12.4M6 3l7.4 3.2L6 9.4Z',
  scores: 'M2.5 13.2V9h3v4.2m2 0V3.2h3v10m2 0V6.5h3v6.7M1.5 13.5h13',
  team: 'M5.8 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M1.5 13.2c0-2.4 1.8-4 4.3-4s4.3 1.6 4.3 4M10.5 3.2a2.2 2.2 0 0 1 0 4.2m1.4 2.2c1.6.5 2.6 1.8 2.6 3.6',
  organise: 'M2 4.5h6m4 0h2M2 11.500h2m4 0h6M10 2.500v4M6 9.500v4',
} as const

export type NavIconName = keyof typeof PATHS

/** Always next to its label. */
export function NavIcon({ name, size }: { readonly name: NavIconName; readonly size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 16 16" fill="none">
      <path
        d={PATHS[name]}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

// Line icons on a grid of 24, drawn for this page.
const shapes = {
  inbox: 'M3.5 13 6 5h12l2.500 8v6h-17zM3.500 13H8.500l1.300 3h4.400l1.300-3h5',
  log: 'M4 6.500h16M4 12h16M4 17.500h9',
  rules: 'M5.500 3.500h13v17h-13zM9 8.500h6M9 12.500h6M9 16.500h3.500',
  prompt: 'm5 6 6 6-6 6M13 18.500h6.500',
  agents: 'M8.500 11a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600zM2.800 19.800c.2-3.500 2.400-5.400 5.700-5.400s5.500 1.900 5.700 5.400M15.500 4.900a3.200 3.200 0 0 1 0 5.900M17.300 14.700c2.300.6 3.700 2.400 3.900 5.100',
  pulse: 'M3 12h4l2.800-7 4.400 14 2.800-7h4',
  search: 'M11 17.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM16 16l4.500 4.500',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  cross: 'm6.500 6.500 11 11M17.500 6.500l-11 11',
  plus: 'M12 5v14M5 12h14',
  globe: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM3.500 12h17M12 3.500c3.200 3 3.200 14 0 17M12 3.500c-3.200 3-3.200 14 0 17',
  send: 'm4 12 16-7.500L15 20l-3.500-6.500z',
  box: 'm4 8 8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  code: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.500 6l-3 12',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  gear: 'M12 15.300a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600zM12 3v2.600M12 18.400V21M3 12h2.600M18.400 12H21M5.600 5.600l1.900 1.900M16.500 16.500l1.900 1.900M5.600 18.400l1.900-1.900M16.500 7.500l1.900-1.900',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13',
  file: 'M6 3.500h8l4 4v13H6zM14 3.500v4h4',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v3.500M17 12v3',
  question: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .600-1.500 1.200-1.500 2.400M12 17.500v.300',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 14.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600z',
  back: 'm14.500 5.500-6.500 6.500 6.500 6.500',
  more: 'M5.500 12h.100M12 12h.100M18.500 12h.100',
  pause: 'M9 6v12M15 6v12',
  warning: 'm12 4 9 16H3zM12 10v4.500M12 17v.300',
  branch: 'M7 4v12a3 3 0 0 0 3 3h4M7 9h7a3 3 0 0 0 3-3V4',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  keyboard: 'M3 7h18v10H3zM7 11h.100M11 11h.100M15 11h.100M8 14h8',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.500-4 3.500-6 7.500-6s7 2 7.500 6',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 7.500V12l3.300 2',
  undo: 'M8.500 5 4.500 9l4 4M4.500 9h9.500a5 5 0 0 1 0 10h-3',
  cell: 'M4 4h16v16H4zM9 4v16M15 4v16',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
}
export type IconName = keyof typeof shapes

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}

export const Kbd = ({ keys }: { keys: string }) => <kbd aria-hidden="true">{keys}</kbd>

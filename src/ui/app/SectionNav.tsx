import { type MouseEvent, useEffect, useState } from "react";
import styles from "./SectionNav.module.css";

interface Props {
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** Shown when the panels lie below the picture: jumps to a section, and marks the visible one. */
export function SectionNav({ sections }: Props) {
  const [current, setCurrent] = useState(sections[0].id);
  useEffect(() => {
    const panels = document.getElementById(sections[0].id)?.parentElement;
    if (!panels) return;
    const mark = (): void => setCurrent(sectionInSight(panels, sections));
    mark();
    panels.addEventListener("scroll", mark, { passive: true });
    // Sections grow when what they show has been loaded.
    const sizes = new ResizeObserver(mark);
    for (const section of panels.children) sizes.observe(section);
    return () => {
      panels.removeEventListener("scroll", mark);
      sizes.disconnect();
    };
  }, [sections]);
  const jump = (event: MouseEvent, id: string): void => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView();
    document.querySelector<HTMLElement>(`#${id} button`)?.focus({ preventScroll: true });
  };
  return (
    <nav className={styles.nav} aria-label="Sections">
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          className={styles.link}
          aria-current={id === current ? "true" : undefined}
          onClick={(event) => jump(event, id)}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The last section that begins in the upper part of the panels; when they are scrolled to the end, the last of all. */
function sectionInSight(panels: HTMLElement, sections: Props["sections"]): string {
  const { scrollTop, clientHeight, scrollHeight, offsetTop } = panels;
  if (scrollTop + clientHeight >= scrollHeight - 2) return sections[sections.length - 1].id;
  const line = offsetTop + scrollTop + 0.2 * clientHeight;
  const isAbove = ({ id }: { readonly id: string }) => (document.getElementById(id)?.offsetTop ?? 0) <= line;
  return (sections.findLast(isAbove) ?? sections[0]).id;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksMojibake, repairMojibake } from '../../src/text/mojibake.ts';
import { anyText, runs, validText } from './arbitraries.ts';

const misread = (text: string, as: 'windows-1252' | 'latin1') =>
  as === 'latin1'
    ? Buffer.from(text, 'utf8').toString('latin1')
    : new TextDecoder(as).decode(Buffer.from(text, 'utf8'));

describe('repairMojibake', () => {
  it.each([
    ['hÃ¸jesteret', 'højesteret'],
    ['hÃƒÂ¸jesteret', 'højesteret'],
    ['itâ€™s', 'it’s'],
    ['itâ\u0080\u0099s', 'it’s'],
    ['itÃ¢â‚¬â„¢s', 'it’s'],
    ['KrakÃ³w', 'Kraków'],
    ['WaÅ‚Ä™sa', 'Wałęsa'],
    ['sÄ…d', 'sąd'],
    ['KÃ–LN', 'KÖLN'],
    ['CAFÃ‰', 'CAFÉ'],
    ['10Â°C', '10°C'],
    ['cafÃ©Â\u00a0noir', 'café\u00a0noir'],
    ['ÐœÐ¾Ñ\u0081ÐºÐ²Ð°', 'Москва'],
    ['Viá»‡t Nam', 'Việt Nam'],
    ['aceÈ™ti', 'acești'],
    ['ðŸ˜€', '😀'],
    ['à¤¹à¥ˆ', 'है'],
    ['a â€” b', 'a — b'],
    ['ï»¿text', '\ufefftext'],
    // Control characters give it away even where the letter would not.
    ['É\u0080', 'ɀ'],
    ['É\u009f', 'ɟ'],
  ])('turns %j into %j', (misreadText, meant) => {
    expect(looksMojibake(misreadText)).toBe(true);
    expect(repairMojibake(misreadText)).toBe(meant);
  });

  it.each([
    '',
    'plain ASCII, (c) 2024',
    'Ãvila',
    'São Paulo',
    'SÃO',
    'Ñandú',
    'højesteret',
    'naïve café, “quoted” – it’s fine…',
    'Ärger über Öl',
    '£5 ½ ° ©',
    'CAFÉ”',
    'BEYONCÉ’S',
    'AMANHÃ”',
    'IRMÃ\u00a0',
    'Spaß…',
    'groß–klein',
    'voilà»…',
    'Nescafé®’s',
    '30 Å²',
    '2 Å–3',
    'È…vero',
    'É\u00a0',
    '“Ã”',
    'Kraków, Łódź',
    'सिरदर्द',
    '😀',
    '\ud83d',
    'a\u2028b',
    // Valid in part only: nobody knows what the rest was.
    'hÃ¸jesteret São',
    'hÃ¸jesteret 😀',
    'hÃ',
    // Overlong, a surrogate, beyond the last code point, cut short.
    'à€€',
    'aí\u00a0€',
    'ôŸ¿¿',
    'hÃ¸\u0080',
    'hÃ¸í¿¿',
    'hÃ¸í\u00a0\u0080',
    'hÃ¸±€€€',
    'hÃ¸õ€€€',
    'hÃ¸Á¿',
    'â€',
  ])('leaves %j alone', (text) => {
    expect(looksMojibake(text)).toBe(false);
    expect(repairMojibake(text)).toBe(text);
  });

  it('restores texts of many languages, misread once or twice', () => {
    const meant = [
      'Højesteret afsagde dom i går; sagsøgeren fik ikke medhold.',
      'Der Kläger wohnt in der Größestraße – „gut“, sagte er.',
      'L’arrêt de la Cour européenne a été rendu à Strasbourg.',
      'Sąd Najwyższy w Łodzi uznał skargę za zasadną.',
      'Суд первой инстанции отклонил жалобу.',
      'मुझे आज सुबह से तेज़ सिरदर्द है।',
      '今日は頭が痛いです。',
      'Slept badly 😴 but happy ❤️',
    ];
    for (const text of meant) {
      for (const as of ['windows-1252', 'latin1'] as const) {
        expect(repairMojibake(misread(text, as))).toBe(text);
        expect(repairMojibake(misread(misread(text, as), as))).toBe(text);
        expect(looksMojibake(text)).toBe(false);
      }
    }
  });

  it.each([0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff])(
    'reads sequences up to U+%x',
    (codePoint) => {
      const meant = `é${String.fromCodePoint(codePoint)}`;
      expect(repairMojibake(misread(meant, 'latin1'))).toBe(meant);
    },
  );

  it('changes nothing more when done twice, and nothing that does not look misread', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = repairMojibake(text);
        expect(repairMojibake(once)).toBe(once);
        expect(looksMojibake(once)).toBe(false);
        expect(once !== text).toBe(looksMojibake(text));
      }),
      runs,
    );
  });

  it('restores or leaves alone, but never makes up a third text', () => {
    fc.assert(
      fc.property(validText, (text) => {
        fc.pre(!looksMojibake(text));
        const wrong = misread(text, 'latin1');
        expect([text, wrong]).toContain(repairMojibake(wrong));
      }),
      runs,
    );
  });
});

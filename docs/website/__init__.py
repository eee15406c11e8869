"""The documentation as a site that needs no server and no network: `./dev docs`.

Theory of operation
-------------------
Nothing is written twice. The site is made of the pages that the project has (`docs/`, the READMEs, the rules of the
games) and of a reference that is made from the code.

    pages.py      which pages there are, where each stands on the site, in which group of the navigation
    links.py      where a link of a page leads on the site; a link that leads nowhere is an error
    rendering.py  one page's Markdown, read as GitHub reads it, as what the site's generator takes
    reference/    pages made from the code: commands, the Python API, games, faults, variables, files
    build.py      all of it: writes a folder for each language, runs the generator, packs the result

The generator is Zensical (docs/decisions/0020). It reads Markdown in another dialect than GitHub, in which our pages
would look different: lists without an empty line before them, tables with bars in code. So everything except headings
reaches it as HTML, and headings with the identifiers that GitHub gives them. It builds one site for each language,
with all pages: one that has no translation is shown in English, and says so.
"""

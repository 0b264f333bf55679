#!/usr/bin/env python3
"""What a file tool would write is in its review, so that a page can show what changes."""
from wire import ServiceTest, main

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


class Inputs(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for role in ("worker", "operator", "viewer"):
            cls.server.token(role)

    def ask(self, tool, **given):
        asked = self.server.check("", tool=tool, input=given)
        self.assertEqual((asked["behavior"], asked.get("status")), ("ask", "pending"), asked)
        return asked["review_id"]

    def path(self, name):
        return str(self.server.project / name)

    def test_an_edit_has_both_texts(self):
        given = {"file_path": self.path("a.py"), "old_string": "x = 1\n", "new_string": "x = 2\n"}
        review = self.ask("Edit", **given)
        for role in ("operator", "viewer"):
            self.assertEqual(self.server.get(f"/v1/reviews/{review}", role=role)["input"], given, role)
            listed = {r["id"]: r for r in self.server.get("/v1/reviews?limit=1000", role=role)["reviews"]}
            self.assertEqual(listed[review]["input"], given, role)
        self.assertNotIn("input", self.server.get(f"/v1/reviews/{review}", role="worker"))

    def test_viewers_see_no_secret_in_it(self):
        review = self.ask("Write", file_path=self.path("b.env"), content=f"A=1\nTOKEN={TOKEN}\n")
        seen = self.server.ask("GET", f"/v1/reviews/{review}", role="viewer")
        self.assertNotIn(TOKEN, seen.body.decode())
        self.assertIn("A=1", seen.json["input"]["content"])
        self.assertIn(TOKEN, self.server.get(f"/v1/reviews/{review}")["input"]["content"])

    def test_a_list_has_all_of_it_or_nothing(self):
        small = self.ask("Write", file_path=self.path("c"), content="y" * 8000)
        large = self.ask("Write", file_path=self.path("d"), content="z" * 16384)
        listed = {r["id"]: r for r in self.server.get("/v1/reviews?limit=1000")["reviews"]}
        self.assertEqual(len(listed[small]["input"]["content"]), 8000)
        self.assertIsNone(listed[large]["input"])
        self.assertEqual(len(self.server.get(f"/v1/reviews/{large}")["input"]["content"]), 16384)

    def test_a_list_ends_early_where_it_is_large(self):
        made = [self.server.check(f"mystery-{number} " + "x" * 400_000)["review_id"] for number in range(5)]
        seen, pages, cursor = [], [], ""
        while cursor is not None:
            page = self.server.get(f"/v1/reviews?status=pending&limit=500{cursor}")
            pages.append([r["id"] for r in page["reviews"] if r["id"] in made])
            seen += pages[-1]
            cursor = page["next"] and f"&cursor={page['next']}"
        self.assertEqual((sorted(seen), len(seen)), (sorted(made), 5))
        self.assertEqual([len(page) for page in pages if page][:2], [2, 2])
        for review in made:
            self.server.answer(review, "deny")

    def test_one_that_is_too_long_to_be_explained_says_what_is_at_stake(self):
        review = self.server.check("mystery " + "x" * 300_000)["review_id"]
        found = self.server.get(f"/v1/reviews/{review}")
        self.assertEqual((found["explain"], found["stakes"]), (None, "outside"))
        self.assertTrue(found["headline"].startswith("mystery is a program that Warder does not know"), found["headline"])
        self.server.answer(review, "deny")

    def test_a_command_has_none(self):
        review = self.server.check("mystery --now")["review_id"]
        self.assertNotIn("input", self.server.get(f"/v1/reviews/{review}"))

    def test_it_ends_with_the_review_and_survives_a_restart(self):
        review = self.ask("Write", file_path=self.path("e"), content="all of it")
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.get(f"/v1/reviews/{review}")["input"]["content"], "all of it")
        self.assertEqual(self.server.answer(review, "deny").status, 200)
        self.assertNotIn("input", self.server.get(f"/v1/reviews/{review}"))


if __name__ == "__main__":
    main()

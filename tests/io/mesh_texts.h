// Small mesh files of known content, written by hand.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace rigor {

/// The tetrahedron with corners at the origin and 1, 2, 3 along the axes: volume 1, as triangles with outward normals.
inline const std::vector<std::array<std::array<float, 3>, 3>> kTetrahedron = {{{{0, 0, 0}, {0, 2, 0}, {1, 0, 0}}},
                                                                              {{{0, 0, 0}, {1, 0, 0}, {0, 0, 3}}},
                                                                              {{{0, 0, 0}, {0, 0, 3}, {0, 2, 0}}},
                                                                              {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}};

inline std::string textStl() {
  std::string text = "solid tetrahedron\n";
  for (const auto& triangle : kTetrahedron) {
    text += "  facet normal nan 0 0\n    outer loop\n";
    for (const auto& v : triangle)
      text += "      vertex " + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + "\n";
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}

template <class Number>
void appendBytes(Number value, std::string& bytes) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

inline std::string binaryStl(std::string header = "made by hand", std::uint32_t count = 4) {
  header.resize(80, ' ');
  std::string bytes = header;
  appendBytes(count, bytes);
  for (const auto& triangle : kTetrahedron) {
    for (int k = 0; k < 3; ++k) appendBytes(7.0f, bytes);  // a normal of no length 1
    for (const auto& v : triangle)
      for (const float x : v) appendBytes(x, bytes);
    appendBytes(std::uint16_t{0}, bytes);
  }
  return bytes;
}

inline std::string mshFile(std::int32_t vertices = 4, std::int32_t faces = 4) {
  std::string bytes;
  for (const std::int32_t count : {vertices, 1, 2, faces}) appendBytes(count, bytes);
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 2.f, 0.f, 0.f, 0.f, 3.f}) appendBytes(x, bytes);
  for (int i = 0; i < 3 + 4; ++i) appendBytes(0.5f, bytes);  // one normal, two texture coordinates
  for (const std::int32_t corner : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) appendBytes(corner, bytes);
  return bytes;
}

inline std::string objText() {
  return "# a tetrahedron\nv 0 0 0\nv 1 0 0 1.0\nv 0 +2 0\nvt 0 0\nvn 0 0 1\nv 0 0 3e0\n"
         "o lower\ng\nf 1 3 2\nf 1/1 2/1 4/1\ng upper part\nusemtl red\ns off\nf 1//1 4//1 3//1\nf -3/1/1 -2/1/1 "
         "-1/1/1 # rest\n";
}

inline std::string plyText() {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
}

/// With a node that shifts by `shift` and a material.
inline std::string daeText(const std::string& unit, const std::string& up_axis, const std::string& shift = "0 0 0") {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="unit" meter=")" +
         unit + R"("/><up_axis>)" + up_axis + R"(</up_axis></asset>
  <library_effects><effect id="red-fx"><profile_COMMON><technique sid="common"><lambert>
    <diffuse><color>0.8 0.1 0.2 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="red" name="red"><instance_effect url="#red-fx"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
      <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
      <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><translate>)" +
         shift + R"(</translate>
    <instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#red"/>
    </technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)";
}

/// glTF with its numbers in the text itself (base64 of 4 vertices as floats and 12 indices as shorts).
inline std::string gltfText() {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,1]}}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},
{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
"buffers":[{"byteLength":72,"uri":"data:application/octet-stream;base64,)"
         "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAACAAEAAAABAAMAAAADAAIAAQACAAMA"
         "\"}]}";
}

}  // namespace rigor
